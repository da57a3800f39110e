import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { raw, type Sentence } from '../../shared/sentences/sentence.ts'
import { inBackground } from '../bridge/in-background.ts'
import { placesOf } from './bridge.ts'
import { sentenceIn } from './error-text.ts'
import { useShell } from './shell-store.ts'
import { toast } from './toasts.ts'

interface FileToTake {
  accept: string
  /** For one of more than `MAX_IMPORT_BYTES` that is not taken by its token. */
  tooLarge: Sentence
  unreadable: (why: ReturnType<typeof raw>) => Sentence
  /** Gets the bytes in base64. What it resolves to is why they are refused; null if they are not. */
  take: (name: string, data: string) => Promise<string | null>
  /** As `take`, for a larger file in a window that knows where it is; gets its token. */
  takeLarge?: (name: string, token: string) => Promise<string | null>
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

async function taken(file: File, { tooLarge, unreadable, take, takeLarge }: FileToTake): Promise<void> {
  if (file.size > MAX_IMPORT_BYTES && takeLarge !== undefined && namesPaths()) {
    // Empty once that it is gone was said.
    for (const { name, token } of await placesOf([file])) refuse(name, await takeLarge(name, token))
    return
  }
  const data = file.size > MAX_IMPORT_BYTES ? tooLarge : await inBase64(file, unreadable)
  const refused = typeof data === 'string' ? await take(file.name, data) : sentenceIn(data)
  refuse(file.name, refused)
}

function refuse(name: string, why: string | null): void {
  if (why !== null) toast(`${name}: ${why}`, { bad: true })
}

const namesPaths = () => useShell.getState().state?.app.capabilities.includes('dropPaths') === true

/** The file, or why it cannot be read: it may have gone since it was chosen. */
function inBase64(file: File, unreadable: FileToTake['unreadable']): Promise<string | Sentence> {
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onload = () => done((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => done(unreadable(raw(reader.error?.message ?? '')))
    reader.readAsDataURL(file)
  })
}
