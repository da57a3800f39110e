import { useTranslation } from 'react-i18next'
import type { JobCounts } from '../../../shared/contract.ts'
import type { JobState } from '../../../shared/reasons.ts'
import { goTo } from '../../store/view-store.ts'
import { countText } from '../../text/figures.ts'
import { StateShape } from '../../ui/state-mark.tsx'
import { Tip } from '../../ui/tip.tsx'
import { COUNT_GROUPS, countOf, type CountGroup } from './folder-facts.ts'

const GROUPS = ['done', 'working', 'held', 'attention'] as const
/** What a group looks like; what went wrong looks like the worst of it. */
function shapeOf(group: CountGroup, counts: JobCounts): JobState {
  if (group === 'done') return 'done'
  if (group === 'working') return 'waiting'
  if (group === 'held') return 'held'
  return counts.failed > 0 ? 'failed' : 'unknown'
}

/** The pictures of a folder by what they need; each figure leads to those pictures. */
export function FolderCounts({ folderId, counts }: { folderId: string; counts: JobCounts }) {
  const { t, i18n } = useTranslation('folders')
  return (
    <span className="folders-counts figures">
      {GROUPS.map((group) => {
        const count = countOf(counts, group)
        if (count === 0) return <span key={group} />
        const label = t(`counts.${group}`, { count, figure: countText(count, i18n.language) })
        return (
          <Tip key={group} text={label}>
            <button
              type="button"
              className="folders-count"
              aria-label={label}
              onClick={() => goTo('jobs', { jobsFilter: { folderId, states: COUNT_GROUPS[group] } })}
            >
              <StateShape state={shapeOf(group, counts)} size={11} />
              {countText(count, i18n.language)}
            </button>
          </Tip>
        )
      })}
    </span>
  )
}
