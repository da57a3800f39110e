import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { inBackground } from '../bridge/in-background.ts'
import { ask } from './bridge.ts'
import { errorText, sentenceIn } from './error-text.ts'
import { useTextWork } from './text-work.ts'
import { toast } from './toasts.ts'

/** Lets a person choose a file with texts, and shows what it would change. */
export function chooseTexts(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.csv,.tsv,.json,.xlf,.xliff,text/csv,application/json'
  input.onchange = () => {
    const [file] = input.files ?? []
    if (file !== undefined) inBackground('import-texts.match', () => matchTexts(file))
  }
  input.click()
}

async function matchTexts(file: File): Promise<void> {
  const refuse = (why: string) => toast(`${file.name}: ${why}`, { bad: true })
  const data = file.size > MAX_IMPORT_BYTES ? TOO_LARGE : await inBase64(file)
  if (typeof data !== 'string') return refuse(sentenceIn(data))
  const format = /\.json$/i.test(file.name) ? 'json' : /\.xli?ff?$/i.test(file.name) ? 'xliff' : 'csv'
  const answer = await ask('jobs.matchTexts', { format, data })
  if (!answer.ok) return refuse(errorText(answer.error))
  useTextWork.setState({ importing: answer.value })
}

const TOO_LARGE = say('import_too_large', { most: MAX_IMPORT_BYTES / 1_000_000 })

/** The file, or why it cannot be read: it may have gone since it was chosen. */
function inBase64(file: File): Promise<string | Sentence> {
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onload = () => done((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => done(say('import_unreadable', { why: raw(reader.error?.message ?? '') }))
    reader.readAsDataURL(file)
  })
}
