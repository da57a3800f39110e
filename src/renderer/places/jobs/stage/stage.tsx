import { ArrowLeft, ChevronLeft, ChevronRight, Ellipsis, Info as InfoSign } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { t } from 'i18next'
import type { JobDetail, JobRow } from '../../../../shared/contract/jobs.ts'
import { imgMarkup, pictureMarkup } from '../../../../shared/presentation/markup.ts'
import { SHORTCUTS } from '../../../../shared/presentation/shortcuts.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { copyText } from '../../../store/copy-text.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { choosePictures, processAgain } from '../../../intake/intake-commands.ts'
import { reviewJobs } from '../../../store/jobs-actions.ts'
import { useJobs, useRow } from '../../../store/jobs-store.ts'
import { useCan, useShell } from '../../../store/shell-store.ts'
import { approve, endReview, useTextWork } from '../../../store/text-work.ts'
import { errorText } from '../../../store/error-text.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { FileName } from '../../../parts/file-name.tsx'
import { Menu } from '../../../parts/menu.tsx'
import type { MenuItem } from '../../../parts/menu-behind-button.tsx'
import { StateShape } from '../../../parts/state-mark.tsx'
import { stateTexts } from '../job-tile.tsx'
import { showDetail, pictureAt } from '../list-moves.ts'
import { Compare, type Shown } from './compare.tsx'
import { Filmstrip } from './filmstrip.tsx'
import { Info } from './info.tsx'
import { Outcome } from './outcome.tsx'
import { stageKey, type StageAct } from './stage-keys.ts'
import { Texts } from './texts.tsx'
import { useDetail, type DetailView } from './use-detail.ts'
import './stage.css'

export function Stage({ id }: { id: string }) {
  const stage = useRef<HTMLElement>(null)
  const view = useDetail(id)
  const { detail } = view
  // The list may know it already, and may not have it.
  const row = useRow(id) ?? detail?.row ?? null
  const [shown, setShown] = useState<Shown>('optimized')
  const [isInfo, setInfo] = useState(false)
  // The language that keys and the copy of the HTML act on: the one a person was in last, at first the first.
  const [lastLanguage, setLanguage] = useState<string | null>(null)
  const codes = detail?.texts.map(({ languageCode }) => languageCode) ?? []
  const language = codes.find((code) => code === lastLanguage) ?? codes[0] ?? ''
  const toggleInfo = () => setInfo(!isInfo)
  useOwnFocus(stage, `${id} ${isInfo}`)
  const acts = useActs({ stage, id, detail, language, info: toggleInfo })
  const hasTexts = detail === null ? (row?.languages.length ?? 0) > 0 : detail.texts.length > 0
  const hasSide = isInfo || hasTexts
  return (
    <section
      ref={stage}
      className="stage"
      aria-label={straightText(row?.name ?? '')}
      tabIndex={-1}
      onKeyDown={(event) => {
        const target = event.target as Element
        // A menu or a dialog of its own has keys of its own.
        const isHere = target.closest('.stage, .menu, dialog') === event.currentTarget
        const act = isHere ? stageKey(event, target) : null
        if (act === null) return
        event.preventDefault()
        acts[act]()
      }}
      onFocus={({ target }) => {
        if (target instanceof HTMLTextAreaElement) setLanguage(target.lang)
      }}
    >
      <Head id={id} row={row} detail={detail} language={language} isInfo={isInfo} onInfo={toggleInfo} />
      <div className={hasSide ? 'stage-body' : 'stage-body alone'}>
        <div className="stage-main">
          {detail === null ? <Lacking view={view} /> : <Outcome detail={detail} />}
          {row === null ? null : (
            <Compare key={id} row={row} detail={detail} shown={shown} onShow={setShown}>
              <Filmstrip id={id} />
            </Compare>
          )}
        </div>
        {hasSide ? (
          <div className="stage-side" key={id}>
            {detail === null ? null : isInfo ? (
              <Info detail={detail} />
            ) : (
              <Texts detail={detail} language={language} onApprove={acts.approve} />
            )}
          </div>
        ) : null}
      </div>
    </section>
  )
}

/** The stage has the focus from the beginning, and again when what had it is gone: its keys work all the time. */
function useOwnFocus(stage: React.RefObject<HTMLElement | null>, subject: string): void {
  useLayoutEffect(() => {
    stage.current?.focus({ preventScroll: true })
    return endReview
  }, [stage])
  useLayoutEffect(() => {
    if (document.activeElement === document.body) stage.current?.focus()
  }, [stage, subject])
}

interface ActsOf {
  stage: React.RefObject<HTMLElement | null>
  id: string
  detail: JobDetail | null
  language: string
  info: () => void
}

function useActs({ stage, id, detail, language, info }: ActsOf): Record<StageAct, () => void> {
  const field = () => [...(stage.current?.querySelectorAll('textarea') ?? [])].find(({ lang }) => lang === language)
  const go = (by: 1 | -1) => {
    const next = pictureAt(id, by)
    if (next !== null) showDetail(next)
  }
  // What was typed is saved as its field is left.
  const leaveField = () => stage.current?.focus()
  const approveThis = () => {
    leaveField()
    if (detail !== null) inBackground(() => approve(id, detail.row.review))
  }
  return {
    previous: () => go(-1),
    next: () => go(1),
    close: () => showDetail(null),
    info,
    edit: () => field()?.focus(),
    copy: () => inBackground(() => copyText(field()?.value ?? '')),
    decorative: () => stage.current?.querySelector<HTMLInputElement>('input[data-decorative]')?.click(),
    approve: approveThis,
    saveAndApprove: approveThis,
    leaveField,
  }
}

interface HeadProps {
  id: string
  row: JobRow | null
  detail: JobDetail | null
  language: string
  isInfo: boolean
  onInfo: () => void
}

function Head({ id, row, detail, language, isInfo, onInfo }: HeadProps) {
  // The neighbours change with the list.
  useJobs((state) => state.index)
  const [before, after] = [pictureAt(id, -1), pictureAt(id, 1)]
  const said = row && stateTexts(row)
  return (
    <header className="stage-head">
      <IconButton label={t('detail:close')} tipSide="right" onClick={() => showDetail(null)}>
        <ArrowLeft size={16} aria-hidden />
      </IconButton>
      <h1 aria-live="polite">
        <FileName name={row?.name ?? ''} />
      </h1>
      {row === null || row.state === 'done' ? null : (
        <span className="mark">
          <StateShape state={row.state} />
          {said?.beside ?? said?.state}
        </span>
      )}
      <UnderReview id={id} />
      <span className="stage-tools">
        <IconButton label={t('detail:previous')} disabled={before === null} onClick={() => showDetail(before)}>
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('detail:next')} disabled={after === null} onClick={() => showDetail(after)}>
          <ChevronRight size={16} aria-hidden />
        </IconButton>
        {detail === null ? null : <More detail={detail} language={language} />}
        <IconButton
          label={t('frame:shortcuts.info')}
          tipSide="left"
          aria-pressed={isInfo}
          aria-keyshortcuts={SHORTCUTS.onStage.info[0]}
          onClick={onInfo}
        >
          <InfoSign size={16} aria-hidden />
        </IconButton>
      </span>
    </header>
  )
}

function UnderReview({ id }: { id: string }) {
  const ids = useTextWork(({ review }) => review)
  const at = ids?.indexOf(id) ?? -1
  if (ids === null || at < 0) return null
  return <span className="secondary figures">{t('detail:review.at', { at: at + 1, total: ids.length })}</span>
}

function More({ detail, language }: { detail: JobDetail; language: string }) {
  const { row, recipe } = detail
  const { id, recipeCanChange, review } = row
  const image = imgMarkup(detail, language)
  const canReveal = useCan('reveal')
  const item = (isOffered: boolean, label: string, act: () => unknown): MenuItem[] =>
    isOffered ? [{ label, onSelect: () => act() }] : []
  const items = [
    ...item(recipeCanChange, t('jobs:processAgain'), () => processAgain([id], recipe)),
    ...item(review === 'reviewed', t('jobs:markUnreviewed'), () => reviewJobs([id], false)),
    ...item(language !== '' && image !== pictureMarkup(detail, language), t('detail:markup.img'), () =>
      copyText(image),
    ),
    ...item(canReveal, t('jobs:reveal'), () => askOrToast('outputs.reveal', { id, index: null })),
  ]
  if (items.length === 0) return null
  return (
    <Menu items={items}>
      <IconButton label={t('detail:more')}>
        <Ellipsis size={16} aria-hidden />
      </IconButton>
    </Menu>
  )
}

function Lacking({ view: { error, again } }: { view: DetailView }) {
  const days = useShell(({ state }) => state?.settings.retentionDays ?? null)
  if (error === null) return null
  const isGone = error.code === 'not_found'
  return (
    <div role="alert">
      <Empty text={isGone ? t('detail:gone') : t('detail:failed', { message: errorText(error) })}>
        {isGone ? (
          <>
            {days === null ? null : <p>{t('jobs:expired.kept', { count: days })}</p>}
            <p>{t('jobs:expired.again')}</p>
            <div className="row middle">
              <Button onClick={() => showDetail(null)}>{t('detail:close')}</Button>
              <Button onClick={() => choosePictures()}>{t('common:choosePictures')}</Button>
            </div>
          </>
        ) : (
          <Button onClick={again}>{t('common:retry')}</Button>
        )}
      </Empty>
    </div>
  )
}
