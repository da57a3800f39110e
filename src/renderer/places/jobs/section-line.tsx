import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { GroupBy } from '../../../shared/contract/jobs.ts'
import { countText, exactTimeText } from '../../text/figures.ts'
import type { LineWords } from './job-line.tsx'

interface SectionLineProps {
  sectionKey: string
  /** A folder's path. */
  title: string | null
  atMs: number | null
  count: number
  isFolded: boolean
  isFocus: boolean
  groupBy: GroupBy
  item: number
  words: LineWords
}

/** The header of a group; a click or the arrow keys collapse it. */
export const SectionLine = memo(function SectionLine(props: SectionLineProps) {
  const { sectionKey, title, atMs, count, isFolded, isFocus, groupBy, item, words } = props
  const { t, language } = words
  const byBatch = atMs === null ? t('group.batch') : t('batchAt', { time: exactTimeText(atMs, language) })
  const name = groupBy === 'batch' ? byBatch : (title ?? t('noFolder'))
  const Arrow = isFolded ? ChevronRight : ChevronDown
  return (
    <div
      className={isFocus ? 'jobs-section focus' : 'jobs-section'}
      role="row"
      id={`job-#${sectionKey}`}
      data-name={`#${sectionKey}`}
      aria-rowindex={item + 2}
      aria-level={1}
      aria-expanded={!isFolded}
    >
      <Arrow size={14} aria-hidden />
      <span className="jobs-section-name ellipsis" role="rowheader" title={name}>
        <bdi>{name}</bdi>
      </span>
      <span className="caption figures" role="gridcell">
        {t('count', { count, figure: countText(count, language) })}
      </span>
    </div>
  )
})
