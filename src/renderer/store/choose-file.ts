import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { raw, type Sentence } from '../../shared/sentences/sentence.ts'
import { inBackground } from '../bridge/in-background.ts'
import { placesOf } from './bridge.ts'
import { sentenceIn } from './error-text.ts'
import { useShell } from './shell-store.ts'
import { toast } from './toasts.ts'

const MEGABYTE = 1_000_000

/** A file that is larger than a message: its token in a window that knows where it is, else its bytes in gzip and base64. */
export type LargeFile = { file: string } | { data: string; isPacked: true }

interface FileToTake {
  accept: string
  tooLarge: (megabytes: number) => Sentence
  unreadable: (why: ReturnType<typeof raw>) => Sentence
  /** Gets the bytes in base64. What it resolves to is why they are refused; null if they are not. */
  take: (name: string, data: string) => Promise<string | null>
  /** As `take`, for files of more than `MAX_IMPORT_BYTES`, up to `most`. */
  large?: { most: number; take: (name: string, file: LargeFile) => Promise<string | null> }
}

/** Lets a person choose a file. A toast says why it cannot be taken. */
export function chooseFile(wanted: FileToTake): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = wanted.accept
  input.onchange = () => {
    const [file] = input.files ?? []
    if (file !== undefined) inBackground(() => taken(file, wanted))
  }
  input.click()
}

async function taken(file: File, wanted: FileToTake): Promise<void> {
  const { tooLarge, unreadable, take, large } = wanted
  const most = large?.most ?? MAX_IMPORT_BYTES
  if (file.size > most) return refuse(file.name, sentenceIn(tooLarge(most / MEGABYTE)))
  if (large === undefined || file.size <= MAX_IMPORT_BYTES) {
    const data = await inBase64(file, unreadable)
    refuse(file.name, typeof data === 'string' ? await take(file.name, data) : sentenceIn(data))
  } else if (namesPaths()) {
    // Empty once that it is gone was said.
    for (const { name, token } of await placesOf([file])) refuse(name, await large.take(name, { file: token }))
  } else {
    const data = await packed(file, wanted)
    const refused = typeof data === 'string' ? await large.take(file.name, { data, isPacked: true }) : sentenceIn(data)
    refuse(file.name, refused)
  }
}

function refuse(name: string, why: string | null): void {
  if (why !== null) toast(`${name}: ${why}`, { bad: true })
}

const namesPaths = () => useShell.getState().state?.app.capabilities.includes('dropPaths') === true

/** The file, or why it cannot be read: it may have gone since it was chosen. */
function inBase64(file: Blob, unreadable: FileToTake['unreadable']): Promise<string | Sentence> {
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onload = () => done((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => done(unreadable(raw(reader.error?.message ?? '')))
    reader.readAsDataURL(file)
  })
}

/** Compressed, since texts shrink to a fraction. */
async function packed(file: File, { tooLarge, unreadable }: FileToTake): Promise<string | Sentence> {
  try {
    const bytes = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
    return bytes.size > MAX_IMPORT_BYTES ? tooLarge(MAX_IMPORT_BYTES / MEGABYTE) : await inBase64(bytes, unreadable)
  } catch (error) {
    return unreadable(raw(String(error)))
  }
}
