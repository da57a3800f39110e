import { AppError } from '../../../shared/errors.ts'
import { needCapability, type UiCallDeps, type UiHandlers } from './ui-call-deps.ts'

/** Originals and results as files: only what a job of the list names, and only what is there. */
export function outputCalls({ shell, output }: UiCallDeps): Pick<UiHandlers, 'outputs.reveal' | 'outputs.drag'> {
  const pathOf = async ({ id, index }: { id: string; index: number | null }): Promise<string> => {
    const found = await output(id, index)
    if (found === null) throw new AppError('not_found', 'This file is not there any more.')
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
  }
}
