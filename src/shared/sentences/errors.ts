import { z } from 'zod'
import { englishText } from './english-text.ts'
import { raw, say, type Sentence } from './sentence.ts'
import { SentenceShape } from './sentence-shape.ts'

export const AppErrorCode = z.enum([
  'bad_request',
  'not_found',
  'key_missing',
  'key_refused',
  'credits_short',
  'rate_limited',
  'service_unreachable',
  'service_error',
  'address_wrong',
  'address_insecure',
  'data_folder_in_use',
  'data_folder_unusable',
  'data_folder_gone',
  'journal_too_new',
  'journal_foreign',
  'journal_damaged',
  'journal_unusable',
  'too_few_files',
  'secret_store_unavailable',
  'path_outside_root',
  'name_taken',
  'disk_full',
  'not_writable',
  'unreadable',
  'ledger_away',
  'ledger_refused',
  'ledger_newer',
  'aborted',
  'internal',
])
export type AppErrorCode = z.infer<typeof AppErrorCode>

/** An expected failure. `sentence` tells a person what happened and what to do; never a key, a raw body or a stack. */
export class AppError extends Error {
  readonly code: AppErrorCode
  readonly sentence: Sentence

  constructor(code: AppErrorCode, sentence: Sentence, options?: { cause?: unknown }) {
    super(englishText(sentence), options)
    this.name = 'AppError'
    this.code = code
    this.sentence = sentence
  }

  /** The serialisable form that crosses a process boundary or a connection. */
  get shape(): AppErrorShape {
    return { code: this.code, sentence: this.sentence }
  }
}

export const AppErrorShape = z.object({ code: AppErrorCode, sentence: SentenceShape })
export type AppErrorShape = z.infer<typeof AppErrorShape>

/** Rebuilds the error on the side that received its shape. */
export function fromShape({ code, sentence }: AppErrorShape): AppError {
  return new AppError(code, sentence)
}

/** Converts any thrown value to an `AppError`; an unexpected one becomes `internal` and keeps its cause. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (isOutOfFiles(thrown)) return new AppError('too_few_files', say('files_run_out'), { cause: thrown })
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new AppError('internal', raw(message), { cause: thrown })
}

/** Whether this process, or the system, may open no more files. */
export function isOutOfFiles(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && (thrown.code === 'EMFILE' || thrown.code === 'ENFILE')
}

/** For `switch` statements that must handle every case. */
export function assertNever(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`)
}
