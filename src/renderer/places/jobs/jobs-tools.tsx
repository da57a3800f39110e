import { LayoutGrid, Rows3 } from 'lucide-react'
import { useEffect } from 'react'
import { t } from 'i18next'
import { MAX_SEARCH_CHARS } from '../../../shared/jobs/job-list.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { filterJobs, lookAtJobs, sizeTiles, useJobs } from '../../store/jobs-store.ts'
import { TILE_PX } from '../../store/remembered-look.ts'
import { IconButton } from '../../parts/button.tsx'
import { useStateOf } from '../../parts/use-state-of.ts'

const TYPED_MS = 150
const TILE_STEP_PX = 20

export function JobsTools() {
  const look = useJobs((state) => state.look)
  const tilePx = useJobs((state) => state.tilePx)
  return (
    <>
      <Searching />
      {look === 'grid' ? (
        <input
          type="range"
          className="jobs-tile-size"
          aria-label={t('jobs:tileSize')}
          title={t('jobs:tileSize')}
          min={TILE_PX.least}
          max={TILE_PX.most}
          step={TILE_STEP_PX}
          value={tilePx}
          onChange={(event) => sizeTiles(Number(event.target.value))}
        />
      ) : null}
      <IconButton
        label={t(look === 'grid' ? 'jobs:asList' : 'jobs:asGrid')}
        onClick={() => lookAtJobs(look === 'grid' ? 'list' : 'grid')}
      >
        {look === 'grid' ? <Rows3 size={16} aria-hidden /> : <LayoutGrid size={16} aria-hidden />}
      </IconButton>
    </>
  )
}

/** Searches when typing pauses; Enter searches at once, Escape clears. */
function Searching() {
  const search = useJobs(({ filter }) => filter.search)
  // The search may be changed from elsewhere, which replaces what is typed.
  const [typed, setTyped] = useStateOf(search, search)
  useEffect(() => {
    if (typed === search) return
    const timer = setTimeout(() => filterJobs({ search: typed }), TYPED_MS)
    return () => clearTimeout(timer)
  }, [typed, search])
  const type = (text: string) => {
    setTyped(text)
    if (text === '') filterJobs({ search: '' })
  }
  return (
    <SearchField
      role="searchbox"
      maxLength={MAX_SEARCH_CHARS}
      label={t('jobs:search')}
      clearLabel={t('jobs:clearSearch')}
      value={typed}
      onChange={type}
      onKeyDown={(event) => {
        if (event.key === 'Enter') filterJobs({ search: typed })
        if (event.key !== 'Escape' || typed === '') return
        event.stopPropagation()
        type('')
      }}
    />
  )
}
