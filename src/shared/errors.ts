import { z } from 'zod'

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
  'journal_too_new',
  'secret_store_unavailable',
  'path_outside_root',
  'name_taken',
  'disk_full',
  'not_writable',
  'unreadable',
  'file_swapped',
  'aborted',
  'internal',
])
export type AppErrorCode = z.infer<typeof AppErrorCode>

/** Whether trying the same again, later, can help without a person doing anything. */
export const RETRYABLE: Record<AppErrorCode, boolean> = {
  bad_request: false,
  not_found: false,
  key_missing: false,
  key_refused: false,
  credits_short: false,
  rate_limited: true,
  service_unreachable: true,
  service_error: true,
  address_wrong: false,
  address_insecure: false,
  data_folder_in_use: false,
  data_folder_unusable: false,
  journal_too_new: false,
  secret_store_unavailable: true,
  path_outside_root: false,
  name_taken: false,
  disk_full: true,
  not_writable: true,
  unreadable: true,
  file_swapped: true,
  aborted: false,
  internal: false,
}

/** An expected failure. `message` is for people: what happened and what to do; never a key, a raw body or a stack. */
export class AppError extends Error {
  readonly code: AppErrorCode

  constructor(code: AppErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
  }

  get retryable(): boolean {
    return RETRYABLE[this.code]
  }
}

export const AppErrorShape = z.object({
  code: AppErrorCode,
  message: z.string(),
  retryable: z.boolean(),
  /** The part of a page's request that is not as it has to be, such as `recipe.quality`. */
  field: z.string().optional(),
})
export type AppErrorShape = z.infer<typeof AppErrorShape>

/** Makes any thrown value into an `AppError`; what is not expected becomes `internal` and keeps its cause. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new AppError('internal', message, { cause: thrown })
}

/** For `switch` statements that must handle every case. */
export function assertNever(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`)
}
