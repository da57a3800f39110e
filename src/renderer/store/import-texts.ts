import { MAX_TEXTS_BYTES } from '../../shared/recipes/limits.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ask } from './bridge.ts'
import { chooseFile, type ChosenFile } from './choose-file.ts'
import { errorText } from './error-text.ts'
import { useTextWork } from './text-work.ts'

/** When reading takes longer than this, a dialog says so. */
const SHOWN_AFTER_MS = 300

/** Lets a person choose a file with texts, and shows what it would change. */
export function chooseTexts(): void {
  chooseFile({
    accept: '.csv,.tsv,.json,.xlf,.xliff,text/csv,application/json',
    tooLarge: (most) => say('import_too_large', { most }),
    unreadable: (why) => say('import_unreadable', { why }),
    maxBytes: MAX_TEXTS_BYTES,
    take: matchTexts,
  })
}

async function matchTexts(name: string, from: ChosenFile): Promise<string | null> {
  const format = /\.json$/i.test(name) ? 'json' : /\.xli?ff?$/i.test(name) ? 'xliff' : 'csv'
  const reading = { reading: name }
  let isShown = false
  const show = setTimeout(() => {
    isShown = true
    useTextWork.setState({ importing: reading })
  }, SHOWN_AFTER_MS)
  const answer = await ask('jobs.matchTexts', { format, ...from })
  clearTimeout(show)
  // The dialog was closed meanwhile.
  if (isShown && useTextWork.getState().importing !== reading) return null
  useTextWork.setState({ importing: answer.ok ? answer.value : null })
  return answer.ok ? null : errorText(answer.error)
}
