import type { z } from 'zod'
import type { TextEdits } from '../../shared/contract/texts.ts'
import { MAX_EDITS } from '../../shared/recipes/limits.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import type { CommonFlags } from './options.ts'
import { withEngine } from './with-engine.ts'

/** What became of edits. `left`: their texts are others by now; `unwritten`: files without them as yet, and `why` the first. */
export interface Changed {
  changed: number
  left: number
  unwritten: number
  why: string | null
}

export const NOTHING_CHANGED: Changed = { changed: 0, left: 0, unwritten: 0, why: null }

/** Changes texts as if each had been typed. */
export async function changeTexts(cli: Cli, flags: CommonFlags, edits: z.infer<typeof TextEdits>): Promise<Changed> {
  const all: Changed = { ...NOTHING_CHANGED }
  return withEngine(cli, flags, async (ask) => {
    for (let at = 0; at < edits.length; at += MAX_EDITS) {
      const part = edits.slice(at, at + MAX_EDITS)
      const { changed, unwritten, why } = await ask('jobs.editTexts', { edits: part })
      all.changed += changed.length
      all.left += part.length - changed.length
      all.unwritten += unwritten
      all.why ??= why === null ? null : englishText(why)
      if (edits.length > MAX_EDITS && flags.json !== true)
        cli.terminal.err(`${all.changed + all.left} of ${countText(edits.length, 'text')}`)
    }
    return all
  })
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
