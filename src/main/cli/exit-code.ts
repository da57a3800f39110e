import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { AppErrorCode } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { HoldReason, WaitReason } from '../../shared/sentences/reasons.ts'

/** For a command that ends with an error. */
export const EXIT_CODES: Readonly<Record<AppErrorCode, ExitCode>> = {
  bad_request: ExitCode.usage,
  not_found: ExitCode.usage,
  key_missing: ExitCode.key,
  key_refused: ExitCode.key,
  credits_short: ExitCode.credits,
  rate_limited: ExitCode.unreachable,
  service_unreachable: ExitCode.unreachable,
  service_error: ExitCode.unreachable,
  address_wrong: ExitCode.unreachable,
  address_insecure: ExitCode.usage,
  data_folder_in_use: ExitCode.dataFolderInUse,
  data_folder_unusable: ExitCode.usage,
  data_folder_gone: ExitCode.internal,
  journal_too_new: ExitCode.usage,
  journal_foreign: ExitCode.usage,
  journal_damaged: ExitCode.usage,
  journal_unusable: ExitCode.usage,
  too_few_files: ExitCode.tooFewFiles,
  secret_store_unavailable: ExitCode.key,
  path_outside_root: ExitCode.usage,
  name_taken: ExitCode.someNotDone,
  disk_full: ExitCode.someNotDone,
  not_writable: ExitCode.someNotDone,
  unreadable: ExitCode.someNotDone,
  ledger_away: ExitCode.unreachable,
  ledger_refused: ExitCode.key,
  ledger_newer: ExitCode.usage,
  aborted: ExitCode.interrupted,
  internal: ExitCode.internal,
}

const isErrorCode = (code: string): code is AppErrorCode => Object.hasOwn(EXIT_CODES, code)

export interface RunEnd {
  counts: JobCounts
  leftOut: number
  /** Pictures that could not be taken in. */
  missed: number
  holds: readonly HoldReason[]
  /** The run gave up: the service did not answer for too long, or the team ledger cannot be used. */
  unreachable: WaitReason | null
  interrupted: boolean
}

/** If several apply: interrupted, then what concerns every picture (key, credits, service), then single pictures. */
export function exitCodeOfRun({ counts, leftOut, missed, holds, unreachable, interrupted }: RunEnd): ExitCode {
  if (interrupted) return ExitCode.interrupted
  if (holds.includes('key_missing') || holds.includes('key_refused')) return ExitCode.key
  if (holds.includes('credits_short') || holds.includes('credits_refused')) return ExitCode.credits
  if (unreachable !== null) return isErrorCode(unreachable) ? EXIT_CODES[unreachable] : ExitCode.unreachable
  if (holds.includes('address_wrong')) return ExitCode.unreachable
  return counts.failed + counts.held + counts.unknown + leftOut + missed > 0 ? ExitCode.someNotDone : ExitCode.ok
}
