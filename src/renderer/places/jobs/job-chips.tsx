import { ChevronDown, X } from 'lucide-react'
import { t } from 'i18next'
import { straightText } from '../../../shared/text/safe-characters.ts'
import type { GroupBy, JobCounts } from '../../../shared/contract/jobs.ts'
import { countIn } from '../../../shared/presentation/progress-figures.ts'
import type { JobState } from '../../../shared/sentences/reasons.ts'
import { CHIPS, isStateChip, STATE_CHIPS, type Chip } from '../../store/jobs-filter.ts'
import { filterJobs, groupJobs, sortJobs, useJobs } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { Button } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { countText, listText } from '../../text/figures.ts'
import { StateShape } from '../../parts/state-mark.tsx'
import { splitPath } from '../../parts/split-path.ts'
import { ProgressStrip } from './progress-strip.tsx'
import { ORDER_NAMES, orderName, ORDERS } from './list-order.ts'

const GROUPS: readonly GroupBy[] = ['batch', 'folder', 'none']

export function JobChips() {
  const groupBy = useJobs((state) => state.groupBy)
  const order = orderName(useJobs((state) => state.order))
  return (
    <div className="jobs-chips row">
      <Chips />
      <ProgressStrip />
      <Menu
        items={[
          ...GROUPS.map((group) => ({
            label: t(`jobs:group.${group}`),
            isChosen: group === groupBy,
            onSelect: () => groupJobs(group),
          })),
          null,
          ...ORDER_NAMES.map((name) => ({
            label: t(`jobs:order.${name}`),
            isChosen: name === order,
            onSelect: () => sortJobs(ORDERS[name]),
          })),
        ]}
      >
        <Button kind="quiet" className="chip" title={`${t('jobs:groupBy')} · ${t('jobs:sortBy')}`}>
          <span className="ellipsis">{t(`jobs:order.${order}`)}</span>
          <ChevronDown size={12} aria-hidden />
        </Button>
      </Menu>
    </div>
  )
}

/** Of the jobs that the search and the filters from elsewhere find. */
function useCounts() {
  const states = useShell(({ state }) => state?.counts ?? NONE)
  const review = useShell(({ state }) => state?.needsReview ?? 0)
  const removed = useShell(({ state }) => state?.removed ?? 0)
  const { chip, search, folderId, batchId } = useJobs(({ filter }) => filter)
  const groups = [...useJobs((state) => state.groups).values()]
  const own = groups.reduce((sum, group) => sum + group.own, 0)
  const isPart = search !== '' || folderId !== null || batchId !== null
  if (!isPart || chip === 'removed')
    return { states: { ...states, skipped: (states.skipped ?? 0) - own }, review, removed }
  const found: Partial<JobCounts> = {}
  for (const { counts } of groups)
    for (const [state, n] of Object.entries(counts)) found[state as JobState] = (found[state as JobState] ?? 0) + n
  return { states: found, review: groups.reduce((sum, group) => sum + group.needsReview, 0), removed }
}

const NONE: Partial<JobCounts> = {}

/** One is on at a time; those of one kind of state are in a menu, as far as there are such jobs. */
function Chips() {
  const { states, review, removed } = useCounts()
  const filter = useJobs((state) => state.filter)
  const chosen = filter.states === null ? filter.chip : null
  const needs = countIn(states, CHIPS.needs)
  const isInMenu = chosen === 'removed' || (chosen !== null && isStateChip(chosen) && chosen !== 'needs')
  const labelled = (chip: Chip, count: number) => `${t(`jobs:chip.${chip}`)} ${countText(count)}`
  const countOf = (chip: Chip) => (isStateChip(chip) ? countIn(states, CHIPS[chip]) : removed)
  const inMenu: Chip[] = [...STATE_CHIPS, 'removed' as const].filter((chip) => chip === chosen || countOf(chip) > 0)
  const choose = (chip: Chip) => filterJobs({ chip, states: null })
  return (
    <div className="jobs-filters row" role="group" aria-label={t('jobs:chips')}>
      <FilterFromElsewhere />
      <ChipButton chip="all" count={countIn(states)} isChosen={chosen === 'all'} />
      {needs > 0 || chosen === 'needs' ? <ChipButton chip="needs" count={needs} isChosen={chosen === 'needs'} /> : null}
      {review > 0 || chosen === 'review' ? (
        <ChipButton chip="review" count={review} isChosen={chosen === 'review'} />
      ) : null}
      {inMenu.length === 0 ? null : (
        <Menu
          align="start"
          items={inMenu.map((chip) => ({
            label: labelled(chip, countOf(chip)),
            icon: isStateChip(chip) ? <StateShape state={CHIPS[chip][0]} /> : undefined,
            onSelect: () => choose(chip),
          }))}
        >
          <Button kind="quiet" className="chip" aria-pressed={isInMenu}>
            <span className="ellipsis">{isInMenu ? labelled(chosen, countOf(chosen)) : t('jobs:byState')}</span>
            <ChevronDown size={12} aria-hidden />
          </Button>
        </Menu>
      )}
    </div>
  )
}

function ChipButton({ chip, count, isChosen }: { chip: Chip; count: number; isChosen: boolean }) {
  return (
    <Button
      kind="quiet"
      className="chip"
      title={t(`jobs:chip.${chip}`)}
      aria-pressed={isChosen}
      onClick={() => filterJobs({ chip: isChosen ? 'all' : chip, states: null })}
    >
      <span className="ellipsis">{t(`jobs:chip.${chip}`)}</span>
      <span className="secondary figures">{countText(count)}</span>
    </Button>
  )
}

function FilterFromElsewhere() {
  const { folderId, batchId, states } = useJobs((state) => state.filter)
  const path = useShell(({ state }) => state?.folders.find(({ id }) => id === folderId)?.path)
  const names = (states ?? []).map((state) => t(`reasons:state.${state}`))
  const parts = [
    folderId === null ? '' : t('jobs:onlyFolder', { name: splitPath(path ?? '').name }),
    batchId === null ? '' : t('jobs:onlyBatch'),
    states === null ? '' : t('jobs:onlyStates', { states: listText(names) }),
  ].filter((part) => part !== '')
  if (parts.length === 0) return null
  const text = parts.join(' · ')
  return (
    <Button
      className="chip"
      title={straightText(path ?? text)}
      aria-label={`${text}. ${t('jobs:dropFilter')}`}
      onClick={() => filterJobs({ folderId: null, batchId: null, states: null })}
    >
      <span className="ellipsis" dir="auto">
        {text}
      </span>
      <X size={12} aria-hidden />
    </Button>
  )
}
