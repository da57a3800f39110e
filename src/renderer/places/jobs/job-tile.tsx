import i18next, { t } from 'i18next'
import { memo } from 'react'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { useRow } from '../../store/jobs-store.ts'
import type { ListLook } from '../../store/remembered-look.ts'
import { changeText, sizeText } from '../../text/figures.ts'
import { FileName } from '../../parts/file-name.tsx'
import { PlaceLink } from '../../parts/place-link.tsx'
import { PathText } from '../../parts/path-text.tsx'
import { StateShape } from '../../parts/state-mark.tsx'
import { useShell } from '../../store/shell-store.ts'
import { noteSentence, saidText, shortText } from '../../../shared/sentences/reason-sentences.ts'
import { isCapped, reasonTexts } from '../../text/reason-texts.ts'
import { Thumb } from './thumb.tsx'

interface TileProps {
  id: string
  /** Counted from the top of the list. */
  line: number
  look: ListLook
  isChosen: boolean
  isFocus: boolean
  isDraggable: boolean
  /** The folder that is named over it already. */
  folder: string | null
}

/** A tile among others in its line, or a line of its own. */
export const JobTile = memo(function JobTile({ id, line, look, isChosen, isFocus, isDraggable, ...rest }: TileProps) {
  const row = useRow(id)
  const isTile = look === 'grid'
  const classes = ['jobs-line', isChosen ? 'chosen' : '', isFocus ? 'focus' : ''].filter(Boolean).join(' ')
  return (
    <div
      className={classes}
      role={isTile ? 'gridcell' : 'row'}
      id={`job-${id}`}
      data-name={id}
      aria-rowindex={isTile ? undefined : line + 1}
      aria-selected={isChosen}
      draggable={isDraggable}
    >
      {row === null ? (
        <span className="jobs-thumb" />
      ) : (
        <Parts row={row} isChosen={isChosen} cell={isTile ? undefined : 'gridcell'} {...rest} />
      )}
    </div>
  )
})

type PartsProps = Pick<TileProps, 'isChosen' | 'folder'> & { row: JobRow; cell: 'gridcell' | undefined }

function Parts({ row, isChosen, folder, cell }: PartsProps) {
  const marksPractice = useShell(({ state: shell }) => shell?.service?.practice === false)
  const { state, beside, whole } = stateTexts(row)
  const isPlain = row.state === 'done' || row.state === 'ready'
  return (
    <>
      <Thumb row={row} isChosen={isChosen} />
      <span className="jobs-name" role={cell}>
        <PlaceLink className="jobs-link" to={{ place: 'jobs', openJob: row.id }} tabIndex={-1} draggable={false}>
          <FileName name={row.name} />
        </PlaceLink>
        {row.dir === folder ? null : <PathText className="jobs-where caption" path={row.dir} whole={row.dir} />}
      </span>
      <span className={`jobs-state ${row.state}`} role={cell} title={whole}>
        {row.state === 'done' ? null : <StateShape state={row.state} />}
        <span className={isPlain || beside !== null ? 'unseen' : 'ellipsis'}>{state}</span>
        {beside === null ? null : <span className="ellipsis">{beside}</span>}
        {row.practice && marksPractice ? (
          <span className="badge" title={t('jobs:practiceExplains')}>
            {t('jobs:practice')}
          </span>
        ) : null}
      </span>
      <Sizes row={row} cell={cell} />
    </>
  )
}

function Sizes({ row, cell }: Pick<PartsProps, 'row' | 'cell'>) {
  const before = sizeText(row.sizeBytes)
  const bytes = row.optimizedBytes ?? row.convertedBytes
  if (bytes === null)
    return (
      <span className="jobs-size figures" role={cell}>
        <span className="jobs-size-before">{before}</span>
      </span>
    )
  const after = sizeText(bytes)
  const change = changeText(row.sizeBytes, bytes) ?? ''
  const whole = t('jobs:sizes', { before, after, change })
  return (
    <span className="jobs-size figures" role={cell} title={whole}>
      <span className="unseen">{whole}</span>
      <span className="jobs-size-before" aria-hidden>
        {before}
      </span>
      <span className="jobs-size-after" aria-hidden>
        {after}
      </span>
      <span className="jobs-size-change" aria-hidden>
        {change}
      </span>
    </span>
  )
}

/** `whole`: all of it with what was said, and the most telling note. */
export function stateTexts(row: JobRow) {
  const texts = reasonTexts()
  const { reason, note } = row
  const beside = reason === null ? null : isCapped(reason) ? t('reasons:capReached') : shortText(texts, reason)
  const said = reason === null ? '' : saidText(texts, reason, i18next.language)
  const noted = reason !== null || note === null ? '' : noteSentence(texts, note, i18next.language)
  const state = t(`reasons:state.${row.state}`)
  return { state, beside, whole: inOneLine([state, beside ?? noted, said]) }
}

function inOneLine(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, nth, all) => (nth < all.length - 1 ? part.replace(/\.$/, '') : part))
    .join('. ')
}
