import { sep } from 'node:path'
import { Job } from '../../shared/jobs/job.ts'
import { parseStored } from './documents.ts'
import { type Db, prepared, transact } from './journal.ts'

const SLICE = 200

/** The path below `to` for one below `from`, or of `from` itself; any other is returned as it is. */
export function movedPath(path: string, from: string, to: string): string {
  if (path === from) return to
  const prefix = from.endsWith(sep) ? from : from + sep
  return path.startsWith(prefix) ? (to.endsWith(sep) ? to : to + sep) + path.slice(prefix.length) : path
}

/**
 * Points some jobs of a moved folder, those after `afterId`, to where their files are now. Returns the last id, or null when none are
 * left; `alongside` gets the same, in the same transaction.
 */
export function relocateJobs(
  db: Db,
  which: { folderId: string; afterId: string },
  from: string,
  to: string,
  alongside: (lastId: string | null) => void,
): string | null {
  const sql = 'SELECT id, doc FROM jobs WHERE folder_id = ? AND id > ? ORDER BY id LIMIT ?'
  const rows = prepared<[string, string, number], { id: string; doc: string }>(db, sql).all(
    which.folderId,
    which.afterId,
    SLICE,
  )
  const lastId = rows.at(-1)?.id ?? null
  const moved = (path: string) => movedPath(path, from, to)
  transact(db, () => {
    for (const { id, doc } of rows) {
      const job = parseStored(doc, Job).value
      // Reading it will report what is wrong.
      if (job?.id !== id) continue
      const after = movedJob(job, moved)
      prepared(db, 'UPDATE jobs SET path = ?, doc = ? WHERE id = ?').run(after.source.path, JSON.stringify(after), id)
      for (const [n, { path }] of job.outputs.entries()) {
        const now = after.outputs[n]!.path
        if (now === path) continue
        const sources = [now, after.source.path, path]
        prepared(db, 'UPDATE OR REPLACE outputs SET path = ?, source_path = ? WHERE path = ?').run(...sources)
        prepared(db, 'UPDATE OR REPLACE stale_texts SET path = ? WHERE path = ?').run(now, path)
      }
    }
    alongside(lastId)
  })
  return lastId
}

function movedJob(job: Job, moved: (path: string) => string): Job {
  const { output } = job.recipe
  return {
    ...job,
    source: { ...job.source, path: moved(job.source.path) },
    rootDir: moved(job.rootDir),
    recipe: output.kind === 'folder' ? { ...job.recipe, output: { ...output, dir: moved(output.dir) } } : job.recipe,
    outputs: job.outputs.map((one) => ({ ...one, path: moved(one.path) })),
  }
}
