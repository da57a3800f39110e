import type { z } from 'zod'
import type { TextEdits } from '../../shared/contract/texts.ts'
import { MAX_EDITS } from '../../shared/recipes/limits.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { countText } from '../core/english-figures.ts'
import { orThrow } from '../../shared/contract/call.ts'
import type { Cli } from './cli-context.ts'
import type { CommonFlags } from './options.ts'
import { postCommands, withIdleEngine } from './queue-commands.ts'

/** What became of edits. `left`: their texts are others by now; `unwritten`: files without them as yet, and `why` the first. */
export interface Changed {
  changed: number
  left: number
  unwritten: number
  why: string | null
}

export const NOTHING_CHANGED: Changed = { changed: 0, left: 0, unwritten: 0, why: null }

/** Changes texts as if each had been typed, here or through the Hangar that has the data folder. */
export async function changeTexts(
  cli: Cli,
  flags: CommonFlags,
  dataDir: string,
  edits: z.infer<typeof TextEdits>,
): Promise<Changed | 'handedOver'> {
  const parts = Array.from({ length: Math.ceil(edits.length / MAX_EDITS) }, (_, n) =>
    edits.slice(n * MAX_EDITS, (n + 1) * MAX_EDITS),
  )
  return withIdleEngine(
    cli,
    flags,
    async (engine) => {
      const all: Changed = { ...NOTHING_CHANGED }
      for (const part of parts) {
        const { changed, unwritten, why } = await orThrow(engine.call('jobs.editTexts', { edits: part }))
        all.changed += changed.length
        all.left += part.length - changed.length
        all.unwritten += unwritten
        all.why ??= why === null ? null : englishText(why)
        if (parts.length > 1 && flags.json !== true)
          cli.terminal.err(`${all.changed + all.left} of ${countText(edits.length, 'text')}`)
      }
      return all
    },
    () =>
      postCommands(
        dataDir,
        parts.map((part) => ({ kind: 'edit_texts', edits: part })),
      ),
  )
}

/** What of it a person has to know, in lines. */
export function unwrittenText({ left, unwritten, why }: Changed): string[] {
  return [
    ...(left > 0 ? [`${countText(left, 'text')} changed meanwhile and left alone.`] : []),
    ...(unwritten > 0
      ? [`${countText(unwritten, 'file')} without the new texts as yet${why === null ? '.' : `: ${why}`}`]
      : []),
  ]
}
