import { z } from 'zod'

/** Where a job stands. `found` and `settling` live in memory only: nothing is journalled before a picture is whole. */
export const JobState = z.enum([
  'ready',
  'sending',
  'waiting',
  'fetching',
  'writing',
  'done',
  'skipped',
  'held',
  'failed',
  'unknown',
  'cancelled',
])
export type JobState = z.infer<typeof JobState>

/** States nothing leaves on its own. `held` is not among them: it resumes where it was. */
export const END_STATES = ['done', 'skipped', 'failed', 'unknown', 'cancelled'] as const satisfies readonly JobState[]

/** The states a held job goes back to. */
export const ResumeState = z.enum(['ready', 'waiting', 'fetching', 'writing'])
export type ResumeState = z.infer<typeof ResumeState>

/** Why a job waits in an active state. */
export const WaitReason = z.enum([
  'backoff',
  'rate_limited',
  'same_content_in_flight',
  'service_unreachable',
  'service_doubtful',
])
export type WaitReason = z.infer<typeof WaitReason>

export const SkipReason = z.enum(['own_output', 'already_done', 'source_gone', 'source_changed'])
export type SkipReason = z.infer<typeof SkipReason>

export const HoldReason = z.enum([
  'key_missing',
  'key_refused',
  'other_account',
  'other_service',
  'credits_short',
  'credits_refused',
  'address_wrong',
  'spend_guard',
  'stalled',
  'disk_full',
  'target_not_writable',
  'folder_missing',
])
export type HoldReason = z.infer<typeof HoldReason>

export const FailReason = z.enum([
  'too_large',
  'wrong_type',
  'not_an_image',
  'cut_off',
  'too_many_pixels',
  'unreadable',
  'rejected_by_service',
  'job_failed',
  'never_ended',
  'download_gone',
  'download_broken',
  'encode_failed',
  'copy_failed',
  'no_free_name',
  'part_swapped',
])
export type FailReason = z.infer<typeof FailReason>

export const UnknownReason = z.enum([
  'answer_lost',
  'crashed_while_sending',
  'no_job_id',
  'server_error',
  'unclear_answer',
  'lost_at_service',
])
export type UnknownReason = z.infer<typeof UnknownReason>

export const CancelReason = z.enum(['before_sending', 'after_sending', 'dropped'])
export type CancelReason = z.infer<typeof CancelReason>

export const ReasonCode = z.enum([
  ...WaitReason.options,
  ...SkipReason.options,
  ...HoldReason.options,
  ...FailReason.options,
  ...UnknownReason.options,
  ...CancelReason.options,
])
export type ReasonCode = z.infer<typeof ReasonCode>

/** Longer details are cut where a job is written. */
export const MOST_DETAIL_CHARS = 500
const detail = z.string().max(MOST_DETAIL_CHARS).nullable()

/**
 * A reason with the facts a sentence about it needs. `detail` is one of Hangar's own sentences (`own-sentences.ts`), or words of
 * the system or the service: untrusted text.
 */
export const Reason = z.object({ code: ReasonCode, detail })
export type Reason = z.infer<typeof Reason>

/** Things worth knowing about a job that went well. */
export const NoteCode = z.enum([
  'saved_too_little',
  'analyzed_only',
  'nothing_to_convert',
  'translation_missing',
  'animation_kept',
  'published_from_kept_result',
  'data_after_image_end',
  'figures_only',
  'sidecar_name_taken',
  /** Detail: `4000 × 3000 → 2600 × 1950`, or one size when only the file became smaller; null when another job sent it. */
  'sent_downscaled',
  /** Detail of both: by how many per cent it is larger than the compressed file or the original; null for less than one. */
  'converted_larger',
  'converted_not_kept',
])
export type NoteCode = z.infer<typeof NoteCode>
export const Note = z.object({ code: NoteCode, detail })
export type Note = z.infer<typeof Note>

/** What a person can do next. */
export const NextStep = z.enum([
  'retry',
  'resend',
  'drop',
  'fetch_again',
  'ask_again',
  'confirm_spend',
  'set_key',
  'top_up',
  'fix_address',
  'free_space',
  /** In a window, where the files are on the same computer. */
  'show_file',
  'cancel',
])
export type NextStep = z.infer<typeof NextStep>
