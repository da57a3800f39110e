import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { needCapability, type PageCallDeps, type PageHandlers } from './page-call-deps.ts'

/** Originals and results as files: only those that a listed job names and that exist. */
export function outputCalls({ shell, output }: PageCallDeps) {
  const pathOf = async ({ id, index }: { id: string; index: number | null }): Promise<string> => {
    const found = await output(id, index)
    if (found === null) throw new AppError('not_found', say('place_gone'))
    return found.path
  }
  return {
    'outputs.reveal': async (which) => {
      needCapability(shell, 'reveal')
      await shell.reveal(await pathOf(which))
      return {}
    },
    'outputs.drag': async ({ items }) => {
      needCapability(shell, 'startDrag')
      if (items.length > 0) shell.startDrag(await Promise.all(items.map(pathOf)))
      return {}
    },
  } satisfies Partial<PageHandlers>
}
