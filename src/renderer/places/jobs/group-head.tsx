import { t } from 'i18next'
import { ChevronDown, ChevronRight, Ellipsis, ScanEye, TriangleAlert } from 'lucide-react'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { SETTLED_STATES, UNSETTLED_STATES } from '../../../shared/jobs/job-list.ts'
import { activeIn, countIn } from '../../../shared/presentation/progress-figures.ts'
import { CHIPS, isFiltered } from '../../store/jobs-filter.ts'
import type { GivenSection } from '../../store/jobs-index.ts'
import { filterJobs, selectJobs, useJobs, type JobGroup } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { startReview } from '../../store/text-work.ts'
import { goTo } from '../../store/view-store.ts'
import { countText, durationText, exactTimeText, sizeText } from '../../text/figures.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { askToRemove } from './ask-first.ts'
import { focusList } from './list-moves.ts'
import { splitPath } from '../../parts/split-path.ts'

interface GroupHeadProps {
  section: GivenSection
  /** Counted from the top of the list. */
  line: number
  isFolded: boolean
  isFocus: boolean
}

/** A click or the arrow keys fold it. */
export function GroupHead({ section, line, isFolded, isFocus }: GroupHeadProps) {
  const { key, ids } = section
  const group = useJobs(({ groups }) => groups.get(key))
  const watched = useShell(({ state }) => state?.folders.find(({ id }) => id === section.folderId)?.path)
  const isPart = useJobs(({ filter }) => isFiltered(filter))
  const leftMs = useLeftMs(key)
  const path = watched ?? section.title
  const isSamples = useShell(({ state }) => isSampleFolder(path, state?.app.dataDir))
  const folderName =
    path === null ? t('jobs:addedAt', { time: exactTimeText(section.atMs ?? 0) }) : splitPath(path).name
  const name = isSamples ? t('jobs:samples') : folderName
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
          {isPart ? count(ids.length) : progress(group, ids.length, leftMs)}
        </span>
      </span>
      <GroupTools section={section} name={name} path={path} group={group} isSamples={isSamples} />
    </div>
  )
}

/** The sample pictures lie in folders of their own in the data folder. */
const isSampleFolder = (path: string | null, dataDir: string | undefined): boolean =>
  path !== null && dataDir !== undefined && path.startsWith(dataDir) && /[/\\]samples-[\d-]+$/.test(path)

interface GroupToolsProps extends Pick<GroupHeadProps, 'section'> {
  name: string
  path: string | null
  group: JobGroup | undefined
  isSamples: boolean
}

function GroupTools({ section, name, path, group, isSamples }: GroupToolsProps) {
  const { key, ids, folderId, atMs } = section
  const only = folderId !== null ? { folderId } : atMs !== null ? { batchId: key } : { search: path ?? '' }
  const isPart = useJobs(({ filter }) => isFiltered(filter))
  const toReview = group?.needsReview ?? 0
  const needs = isPart || group === undefined ? 0 : countIn(group.counts, CHIPS.needs)
  const chooseThese = () => {
    selectJobs({ ids: new Set(ids), anchor: ids[0]!, focus: ids[0]! })
    focusList()
  }
  return (
    <span className="jobs-section-tools row single" role="gridcell">
      {isSamples ? (
        <Button kind="quiet" onClick={() => goTo('settings', { section: 'services' })}>
          {t('jobs:connectAccount')}
        </Button>
      ) : null}
      {needs === 0 ? null : (
        <Button kind="quiet" onClick={() => filterJobs({ ...only, chip: 'needs', states: null })}>
          <TriangleAlert size={14} aria-hidden />
          {t('jobs:chip.needs')} {countText(needs)}
        </Button>
      )}
      {toReview === 0 ? null : (
        <Button kind="quiet" onClick={() => startReview(ids)}>
          <ScanEye size={14} aria-hidden />
          {t('jobs:reviewThese', { count: toReview })}
        </Button>
      )}
      <Menu
        items={[
          { label: t('jobs:selectGroup'), onSelect: chooseThese },
          { label: t('jobs:onlyGroup'), onSelect: () => filterJobs(only) },
          { label: t('frame:shortcuts.remove'), onSelect: () => askToRemove(ids) },
        ]}
      >
        <IconButton label={t('common:more')} of={name}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </Menu>
    </span>
  )
}

const count = (n: number) => t('jobs:count', { count: n })

/** The time until this group has ended: groups come in the order in which they are worked on. */
function useLeftMs(key: string): number | null {
  const leftMs = useShell(({ state }) => state?.progress.leftMs ?? null)
  const groups = useJobs((state) => state.groups)
  const active = [...groups.values()].map(({ counts }) => activeIn(counts))
  const at = [...groups.keys()].indexOf(key)
  if (leftMs === null || (active[at] ?? 0) === 0) return null
  const sum = (counts: readonly number[]) => counts.reduce((total, n) => total + n, 0)
  return (leftMs * sum(active.slice(0, at + 1))) / sum(active)
}

/** "14 of 200 · 11 min · −1.4 MB · 3 files made by Hangar left out" */
function progress(group: JobGroup | undefined, shown: number, leftMs: number | null): string {
  if (group === undefined) return count(shown)
  const total = countIn(group.counts)
  const ended = countIn(group.counts, [...SETTLED_STATES, ...UNSETTLED_STATES])
  const parts = [
    ended === total ? count(total) : t('frame:titleWorking', { ended, total }),
    leftMs === null ? '' : durationText(leftMs),
    group.savedBytes === 0 ? '' : `−${sizeText(group.savedBytes)}`,
    group.own === 0 ? '' : t('jobs:ownLeftOut', { count: group.own }),
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
