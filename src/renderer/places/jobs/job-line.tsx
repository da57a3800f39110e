import { memo } from 'react'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { useRow } from '../../store/jobs-store.ts'
import { changeText, exactTimeText, relativeText, sizeText } from '../../text/figures.ts'
import { listText } from '../../../shared/text/list-text.ts'
import { FileName } from '../../parts/file-name.tsx'
import { PlaceLink } from '../../parts/place-link.tsx'
import { PathText } from '../../parts/path-text.tsx'
import { StateShape } from '../../parts/state-mark.tsx'
import { inOneLine, stateTexts, type LineWords } from './line-words.ts'
import { Thumb } from './thumb.tsx'
import { useLineTurn } from './use-line-turn.ts'

interface LineProps {
  id: string
  /** Counted from the top of the list. */
  item: number
  isChosen: boolean
  isFocus: boolean
  isGrouped: boolean
  isDraggable: boolean
  nowMs: number
  words: LineWords
}

/** Rendered again only when the job changes, is selected, or moves. */
export const JobLine = memo(function JobLine({ id, item, isChosen, isFocus, isGrouped, ...rest }: LineProps) {
  const row = useRow(id)
  const isDue = useLineTurn()
  const classes = ['jobs-line', isChosen ? 'chosen' : '', isFocus ? 'focus' : ''].filter(Boolean).join(' ')
  return (
    <div
      className={classes}
      role="row"
      id={`job-${id}`}
      data-name={id}
      aria-rowindex={item + 2}
      aria-selected={isChosen}
      aria-level={isGrouped ? 2 : undefined}
      draggable={rest.isDraggable}
    >
      {row === null || !isDue ? <Unread /> : <Cells row={row} isChosen={isChosen} {...rest} />}
    </div>
  )
})

function Unread() {
  return (
    <>
      <span className="jobs-thumb" />
      <span className="jobs-unread" role="gridcell" />
    </>
  )
}

type CellsProps = Pick<LineProps, 'isChosen' | 'nowMs' | 'words'> & { row: JobRow }

function Cells({ row, isChosen, nowMs, words }: CellsProps) {
  return (
    <>
      <Thumb row={row} isChosen={isChosen} />
      <span className="jobs-name" role="gridcell">
        <PlaceLink className="jobs-link" to={{ place: 'jobs', openJob: row.id }} tabIndex={-1} draggable={false}>
          <FileName name={row.name} />
        </PlaceLink>
        <span className="jobs-where">
          {row.practice && words.marksPractice ? (
            <span className="jobs-practice" title={words.t('practiceExplains')}>
              {words.t('practice')}
            </span>
          ) : null}
          <PathText path={row.dir} whole={row.dir} className="jobs-dir caption" />
        </span>
      </span>
      <StateCell row={row} words={words} />
      <SizeCell row={row} words={words} />
      <LanguageCell row={row} words={words} />
      <span
        className="jobs-when caption figures"
        role="gridcell"
        title={exactTimeText(row.updatedAtMs, words.language)}
      >
        {relativeText(Math.min(row.updatedAtMs, nowMs), nowMs, words.language)}
      </span>
      <span className="jobs-more" data-open title={words.t('open')} aria-hidden />
    </>
  )
}

function StateCell({ row, words }: { row: JobRow; words: LineWords }) {
  const { state, beside, said, others } = stateTexts(row, words)
  const title = inOneLine([state, beside ?? '', said, others])
  return (
    <span className="jobs-state" role="gridcell" title={title}>
      <StateShape state={row.state} />
      <span className="jobs-two">
        <span className="ellipsis">{state}</span>
        {beside === null ? null : <span className="caption ellipsis">{beside}</span>}
      </span>
    </span>
  )
}

function SizeCell({ row, words: { t, language } }: { row: JobRow; words: LineWords }) {
  const before = sizeText(row.sizeBytes, language)
  const bytes = row.optimizedBytes ?? row.convertedBytes
  if (bytes === null)
    return (
      <span className="jobs-size figures" role="gridcell">
        <span className="jobs-size-before">{before}</span>
      </span>
    )
  const after = sizeText(bytes, language)
  const change = changeText(row.sizeBytes, bytes, language) ?? ''
  const saved = Math.max(0, 1 - bytes / Math.max(1, row.sizeBytes))
  const whole = t('sizes', { before, after, change })
  return (
    <span className="jobs-size figures" role="gridcell" title={whole}>
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
      <span className="jobs-bar">
        <span style={{ width: `${saved * 100}%` }} />
      </span>
    </span>
  )
}

const SHOWN_LANGUAGES = 3

function LanguageCell({ row, words: { t, language } }: { row: JobRow; words: LineWords }) {
  const { languages, review } = row
  const more = languages.length - SHOWN_LANGUAGES
  const title = [
    languages.length > 0 ? t('languages', { list: listText(languages, language) }) : '',
    review === 'needed' ? t('toReview') : '',
    review === 'reviewed' ? t('reviewed') : '',
  ]
  return (
    <span
      className={review === 'needed' ? 'jobs-languages caption dotted' : 'jobs-languages caption'}
      role="gridcell"
      title={title.filter(Boolean).join('\n')}
    >
      {review === 'needed' ? <span className="jobs-dot" role="img" aria-label={t('toReview')} /> : null}
      {languages.slice(0, SHOWN_LANGUAGES).join(' ')}
      {more > 0 ? ` +${more}` : ''}
    </span>
  )
}
