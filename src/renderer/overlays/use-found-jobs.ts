import { useEffect, useState } from 'react'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'

const FEWEST_LETTERS = 3
const MAX_FOUND = 8
const REST_MS = 180

/** The newest jobs whose path contains the text; requested when typing pauses. */
export function useFoundJobs(text: string): readonly JobRow[] {
  const [found, setFound] = useState<{ search: string; rows: readonly JobRow[] }>({ search: '', rows: [] })
  const search = text.trim()
  useEffect(() => {
    if (search.length < FEWEST_LETTERS) return
    let isOld = false
    const timer = setTimeout(() => {
      inBackground('use-found-jobs.rowsFor', () =>
        rowsFor(search).then((rows) => {
          if (!isOld) setFound({ search, rows })
        }),
      )
    }, REST_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [search])
  // The previous rows stay until new ones arrive, so that the list does not flicker.
  return search.length < FEWEST_LETTERS ? [] : found.rows
}

/** A failed search finds nothing: the palette has other commands. */
async function rowsFor(search: string): Promise<readonly JobRow[]> {
  const index = await ask('jobs.index', { filter: { search } })
  const ids = index.ok ? index.value.sections.flatMap((section) => section.ids).slice(0, MAX_FOUND) : []
  if (ids.length === 0) return []
  const rows = await ask('jobs.rows', { ids })
  return rows.ok ? rows.value.rows : []
}
