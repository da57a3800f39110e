import { Search, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { GroupBy } from '../../../shared/contract/jobs.ts'
import { LONGEST_SEARCH } from '../../../shared/jobs/job-list.ts'
import { useShortcuts } from '../../parts/use-shortcut.ts'
import { filterJobs, groupJobs, useJobs } from '../../store/jobs-store.ts'
import { IconButton } from '../../parts/button.tsx'
import { useStateOf } from '../../parts/use-state-of.ts'

const TYPED_MS = 150
const GROUPS: readonly GroupBy[] = ['none', 'batch', 'folder']

/** Search and grouping, in the title row. */
export function JobsTools() {
  return (
    <>
      <SearchField />
      <GroupMenu />
    </>
  )
}

/** Searches when typing pauses; Enter searches at once, Escape clears. */
function SearchField() {
  const { t } = useTranslation('jobs')
  const field = useRef<HTMLInputElement>(null)
  const search = useJobs(({ filter }) => filter.search)
  // The search may be changed from elsewhere, which replaces what is typed.
  const [typed, setTyped] = useStateOf(search, search)
  useEffect(() => {
    if (typed === search) return
    const timer = setTimeout(() => filterJobs({ search: typed }), TYPED_MS)
    return () => clearTimeout(timer)
  }, [typed, search])
  useShortcuts({ search: () => field.current?.select() })
  const clear = () => {
    setTyped('')
    filterJobs({ search: '' })
    field.current?.focus()
  }
  return (
    <div className="jobs-search">
      <Search size={14} aria-hidden />
      <input
        ref={field}
        className="input"
        type="text"
        role="searchbox"
        dir="auto"
        spellCheck={false}
        maxLength={LONGEST_SEARCH}
        placeholder={t('search')}
        aria-label={t('search')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') filterJobs({ search: typed })
          if (event.key !== 'Escape' || typed === '') return
          event.stopPropagation()
          clear()
        }}
      />
      {typed === '' ? null : (
        <IconButton label={t('clearSearch')} onClick={clear}>
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

function GroupMenu() {
  const { t } = useTranslation('jobs')
  const groupBy = useJobs((state) => state.groupBy)
  return (
    <select
      className="select jobs-group"
      aria-label={t('groupBy')}
      value={groupBy}
      onChange={(event) => groupJobs(event.target.value as GroupBy)}
    >
      {GROUPS.map((name) => (
        <option key={name} value={name}>
          {t(`group.${name}`)}
        </option>
      ))}
    </select>
  )
}
