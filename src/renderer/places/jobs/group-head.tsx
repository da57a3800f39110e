import { ChevronDown, ChevronRight, Ellipsis, ScanEye } from 'lucide-react'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { SETTLED_STATES, UNSETTLED_STATES } from '../../../shared/jobs/job-list.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { isFiltered } from '../../store/jobs-filter.ts'
import type { GivenSection } from '../../store/jobs-index.ts'
import { filterJobs, selectJobs, useJobs, type JobGroup } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { startReview } from '../../store/text-work.ts'
import { countText, exactTimeText, sizeText } from '../../text/figures.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { askToRemove } from './ask-first.ts'
import { focusList } from './list-moves.ts'
import { splitPath } from '../../parts/split-path.ts'
import type { LineWords } from './line-words.ts'

interface GroupHeadProps {
  section: GivenSection
  /** Counted from the top of the list. */
  line: number
  isFolded: boolean
  isFocus: boolean
  words: LineWords
}

/** The header of a group: its name, how far it is, and what can be done with all of it. A click or the arrow keys fold it. */
export function GroupHead({ section, line, isFolded, isFocus, words }: GroupHeadProps) {
  const { t } = words
  const { key, ids } = section
  const group = useJobs(({ groups }) => groups.get(key))
  const watched = useShell(({ state }) => state?.folders.find(({ id }) => id === section.folderId)?.path)
  const isPart = useJobs(({ filter }) => isFiltered(filter))
  const path = watched ?? section.title
  const name =
    path === null ? t('addedAt', { time: exactTimeText(section.atMs ?? 0, words.language) }) : splitPath(path).name
  const Arrow = isFolded ? ChevronRight : ChevronDown
  return (
    <div
      className={isFocus ? 'jobs-section focus' : 'jobs-section'}
      role="row"
      id={`job-#${key}`}
      aria-rowindex={line + 1}
    >
      <span
        className="jobs-section-name"
        role="rowheader"
        aria-expanded={!isFolded}
        data-name={`#${key}`}
        title={straightText(path ?? name)}
      >
        <Arrow size={14} aria-hidden />
        <bdi className="ellipsis">{straightText(name)}</bdi>
        <span className="secondary figures ellipsis">
          {isPart ? count(ids.length, words) : progress(group, ids.length, words)}
        </span>
      </span>
      <GroupTools section={section} name={name} path={path} toReview={group?.needsReview ?? 0} words={words} />
    </div>
  )
}

interface GroupToolsProps extends Pick<GroupHeadProps, 'section' | 'words'> {
  name: string
  path: string | null
  toReview: number
}

function GroupTools({ section, name, path, toReview, words: { t, language } }: GroupToolsProps) {
  const { key, ids, folderId, atMs } = section
  const only = folderId !== null ? { folderId } : atMs !== null ? { batchId: key } : { search: path ?? '' }
  const chooseThese = () => {
    selectJobs({ ids: new Set(ids), anchor: ids[0]!, focus: ids[0]! })
    focusList()
  }
  return (
    <span className="jobs-section-tools" role="gridcell">
      {toReview === 0 ? null : (
        <Button kind="quiet" onClick={() => inBackground('group-head.review', () => startReview(ids))}>
          <ScanEye size={14} aria-hidden />
          {t('reviewThese', { figure: countText(toReview, language) })}
        </Button>
      )}
      <Menu
        items={[
          { label: t('selectGroup'), onSelect: chooseThese },
          { label: t('onlyGroup'), onSelect: () => filterJobs(only) },
          { label: t('removeFromList'), onSelect: () => inBackground('group-head.remove', () => askToRemove(ids)) },
        ]}
      >
        <IconButton label={t('more')} of={name}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </Menu>
    </span>
  )
}

const count = (n: number, { t, language }: LineWords) => t('count', { count: n, figure: countText(n, language) })

/** "14 of 200 · 1.4 MB saved · 3 made by Hangar left out" */
function progress(group: JobGroup | undefined, shown: number, words: LineWords): string {
  const { t, language } = words
  if (group === undefined) return count(shown, words)
  const total = Object.values(group.counts).reduce((sum, n) => sum + n, 0)
  const ended = [...SETTLED_STATES, ...UNSETTLED_STATES].reduce((sum, state) => sum + (group.counts[state] ?? 0), 0)
  const parts = [
    ended === total
      ? count(total, words)
      : t('progress.working', { ended: countText(ended, language), total: countText(total, language) }),
    group.savedBytes === 0 ? '' : t('progress.saved', { size: sizeText(group.savedBytes, language) }),
    group.own === 0 ? '' : t('ownLeftOut', { count: group.own, figure: countText(group.own, language) }),
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
