import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { straightText } from '../../../shared/text/safe-characters.ts'
import type { GroupBy } from '../../../shared/contract/jobs.ts'
import { countText, exactTimeText } from '../../text/figures.ts'
import type { LineWords } from './line-words.ts'

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
  const { sectionKey, count, isFolded, isFocus, item, words } = props
  const { t, language } = words
  const name = sectionName(props, words)
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

export function sectionName(
  { title, atMs, groupBy }: Pick<SectionLineProps, 'title' | 'atMs' | 'groupBy'>,
  { t, language }: LineWords,
): string {
  if (groupBy !== 'batch') return straightText(title ?? t('noFolder'))
  return atMs === null ? t('group.batch') : t('batchAt', { time: exactTimeText(atMs, language) })
}
