import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { raw, type Sentence } from '../../shared/sentences/sentence.ts'
import { inBackground } from '../bridge/in-background.ts'
import { sentenceIn } from './error-text.ts'
import { toast } from './toasts.ts'

interface FileToTake {
  accept: string
  /** For one of more than `MAX_IMPORT_BYTES`. */
  tooLarge: Sentence
  unreadable: (why: ReturnType<typeof raw>) => Sentence
  /** Gets the bytes in base64. What it resolves to is why they are refused; null if they are not. */
  take: (name: string, data: string) => Promise<string | null>
}

/** Lets a person choose a file. A toast says why it cannot be taken. */
export function chooseFile(wanted: FileToTake): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = wanted.accept
  input.onchange = () => {
    const [file] = input.files ?? []
    if (file !== undefined) inBackground('choose-file.take', () => taken(file, wanted))
  }
  input.click()
}

async function taken(file: File, { tooLarge, unreadable, take }: FileToTake): Promise<void> {
  const data = file.size > MAX_IMPORT_BYTES ? tooLarge : await inBase64(file, unreadable)
  const refused = typeof data === 'string' ? await take(file.name, data) : sentenceIn(data)
  if (refused !== null) toast(`${file.name}: ${refused}`, { bad: true })
}

/** The file, or why it cannot be read: it may have gone since it was chosen. */
function inBase64(file: File, unreadable: FileToTake['unreadable']): Promise<string | Sentence> {
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onload = () => done((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => done(unreadable(raw(reader.error?.message ?? '')))
    reader.readAsDataURL(file)
  })
}
