import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { useJobs, useRow } from '../../../store/jobs-store.ts'
import { useView } from '../../../store/view-store.ts'
import { errorText } from '../../../store/error-text.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { FileName } from '../../../parts/file-name.tsx'
import { useLate } from '../../../parts/use-late.ts'
import { AddAgain, AfterExpiry } from '../after-expiry.tsx'
import { focusList, goToLine, neighbour, showDetail } from '../list-moves.ts'
import { DetailParts } from './detail-parts.tsx'
import { useDetail, type DetailView } from './use-detail.ts'
import './detail.css'
import './files.css'

/** Everything about the open job. Beside the list, or over it as a sheet. */
export function DetailPane({ isSheet }: { isSheet: boolean }) {
  const id = useView(({ openJob }) => openJob)
  return id === null ? null : <Pane id={id} isSheet={isSheet} />
}

function Pane({ id, isSheet }: { id: string; isSheet: boolean }) {
  const { t } = useTranslation('detail')
  const view = useDetail(id)
  const pane = useRef<HTMLElement>(null)
  useFocus(pane, isSheet)
  // The list knows it already.
  const row = useRow(id)
  const name = view.detail?.row.name ?? row?.name ?? ''
  return (
    <>
      {isSheet ? <div className="detail-backdrop" onClick={() => showDetail(null)} /> : null}
      <aside
        ref={pane}
        className={isSheet ? 'detail sheet' : 'detail'}
        aria-label={t('title', { name })}
        tabIndex={-1}
        onKeyDown={(event) => onArrow(event, id)}
      >
        <Head id={id} name={name} />
        <Body key={id} view={view} />
      </aside>
    </>
  )
}

/** A sheet takes the focus; when the detail closes, the list gets it. */
function useFocus(pane: React.RefObject<HTMLElement | null>, isSheet: boolean): void {
  useEffect(() => {
    const element = pane.current
    if (isSheet) element?.focus()
    return () => {
      if (isSheet || element?.contains(document.activeElement) === true) setTimeout(focusList)
    }
  }, [pane, isSheet])
}

/** Left and right go to the previous and next job, except where something here needs them. */
function onArrow(event: React.KeyboardEvent, id: string): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as 1 | -1 | undefined
  const isNeeded = event.target instanceof Element && event.target.matches('input, textarea, select, [role=group]')
  if (step === undefined || event.defaultPrevented || isNeeded) return
  event.preventDefault()
  goTo(id, step)
}

function goTo(id: string, step: 1 | -1): void {
  const next = neighbour(id, step)
  if (next !== null) goToLine(next, { mod: false, shift: false })
}

function Head({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('detail')
  // The neighbouring jobs change with the list.
  useJobs((state) => state.version)
  return (
    <header className="detail-head">
      <h2>
        <FileName name={name} />
      </h2>
      <IconButton label={t('previous')} disabled={neighbour(id, -1) === null} onClick={() => goTo(id, -1)}>
        <ChevronUp size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('next')} disabled={neighbour(id, 1) === null} onClick={() => goTo(id, 1)}>
        <ChevronDown size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('close')} onClick={() => showDetail(null)}>
        <X size={16} aria-hidden />
      </IconButton>
    </header>
  )
}

function Body({ view }: { view: DetailView }) {
  const { t } = useTranslation('detail')
  const { detail, error, again } = view
  if (detail !== null) return <Parts detail={detail} />
  if (error === null) return <Loading />
  const isGone = error.code === 'not_found'
  return (
    <div role="alert">
      <Empty text={isGone ? t('gone') : t('failed', { message: errorText(error) })}>
        {isGone ? (
          <>
            <AfterExpiry />
            <div className="empty-buttons">
              <Button onClick={() => showDetail(null)}>{t('close')}</Button>
              <AddAgain />
            </div>
          </>
        ) : (
          <Button onClick={again}>{t('again')}</Button>
        )}
      </Empty>
    </div>
  )
}

function Parts({ detail }: { detail: JobDetail }) {
  return (
    <div className="detail-scroll">
      <DetailParts detail={detail} />
    </div>
  )
}

function Loading() {
  const { t } = useTranslation('common')
  const isLate = useLate()
  return isLate ? <div className="detail-loading" role="status" aria-label={t('loading')} /> : null
}
