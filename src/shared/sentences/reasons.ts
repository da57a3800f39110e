import { z } from 'zod'
import { JOB_STATES } from './job-states.ts'
import { SentenceShape } from './sentence-shape.ts'

export const JobState = z.enum(JOB_STATES)
export type JobState = z.infer<typeof JobState>

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
  /** No more connections may be opened here. */
  'too_few_files',
  /** The team ledger does not answer, refuses this computer, or was made by a newer Hangar: nothing is sent. */
  'ledger_away',
  'ledger_refused',
  'ledger_newer',
  /** Another computer of the team is sending the same content. Detail: its name. */
  'under_way_elsewhere',
])
export type WaitReason = z.infer<typeof WaitReason>

const SkipReason = z.enum([
  'own_output',
  /** Its results are there. */
  'already_done',
  /** The recipe makes nothing from such a picture. Detail: why. */
  'nothing_to_do',
  'source_gone',
  'source_changed',
])
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
  /** No more files may be opened at once. */
  'too_few_files',
  /** Detail: why. */
  'not_replaceable',
  'folder_missing',
])
export type HoldReason = z.infer<typeof HoldReason>

export const FailReason = z.enum([
  'too_large',
  'wrong_type',
  'not_an_image',
  /** A picture or other recognised file of a type that is not taken in. */
  'other_type',
  /** A supported type in a variant that cannot be decoded here. */
  'unsupported',
  /** The file is truncated. */
  'cut_off',
  /** The file is complete to its end, but pixels are missing. */
  'damaged',
  'too_many_pixels',
  'unreadable',
  'rejected_by_service',
  'job_failed',
  /** Nor is asked any more. Detail: why the service's answers about the job cannot be used, where that is the reason. */
  'never_ended',
  'download_gone',
  'download_broken',
  /** The service's file does not show the original. */
  'not_this_picture',
  'encode_failed',
  'copy_failed',
  'not_cleaned',
  'no_free_name',
  /** Names on the file system of the results may be so short that none would be left. */
  'names_too_short',
])
export type FailReason = z.infer<typeof FailReason>

export const UnknownReason = z.enum([
  /** The answer was lost, is an error of the service, or does not say. Detail: which. */
  'unclear_answer',
  'crashed_while_sending',
  /** The answer names no job, or one of another picture. */
  'no_job_id',
  'lost_at_service',
  /** Another computer of the team may have sent it, and the answer is unknown. Detail: its name, if it is still in the team. */
  'unknown_elsewhere',
])
export type UnknownReason = z.infer<typeof UnknownReason>

const CancelReason = z.enum(['before_sending', 'after_sending', 'dropped'])
type CancelReason = z.infer<typeof CancelReason>

export const ReasonCode = z.enum([
  ...WaitReason.options,
  ...SkipReason.options,
  ...HoldReason.options,
  ...FailReason.options,
  ...UnknownReason.options,
  ...CancelReason.options,
])
export type ReasonCode = z.infer<typeof ReasonCode>

/** Longer details are truncated when a job is written. */
export const MAX_DETAIL_CHARS = 500

/** A reason, and a detail to show in addition to the reason's own text. */
export const Reason = z.object({ code: ReasonCode, detail: SentenceShape.nullable() })
export type Reason = z.infer<typeof Reason>

/** Things worth knowing about a job that went well. */
export const NoteCode = z.enum([
  'saved_too_little',
  'analyzed_only',
  'nothing_to_convert',
  'translation_missing',
  'animation_kept',
  /** It is sent as it is; whether the frames survived is checked on the result. */
  'animation_may_be_lost',
  /** The service's file was not kept. Detail: `15 → 1`, the frames of the original and of that file. */
  'frames_lost',
  'published_from_kept_result',
  'data_after_image_end',
  'figures_only',
  'sidecar_name_taken',
  /** A person's texts about earlier content of the name are in the sidecar's `earlier`. Detail: the sidecar's name. */
  'earlier_words_kept',
  /** Detail: `4000 × 3000 → 2600 × 1950`, or one size when only the file became smaller; null when another job sent it. */
  'sent_downscaled',
  /** Detail: the type that was sent, and as of `sent_downscaled`: `JPEG, 4000 × 3000`; null when another job sent it. */
  'sent_converted',
  /** Detail of both: by how many percent it is larger than the compressed file or the original; null for less than one. */
  'converted_larger',
  'converted_not_kept',
  /** Variants that were no smaller than the next wider file. Detail: their widths, as in `640, 320`. */
  'widths_not_kept',
  /** A converted file is larger than the recipe wants, at the lowest quality that is used. Detail: the size reached in kB, as in `132`. */
  'size_not_reached',
  /** Detail of these four: `optimized`, `converted` or `both`: the files that lack it. */
  'gain_map_lost',
  'depth_lost',
  'motion_lost',
  'other_views_lost',
  /** Of the compressed file: 16 bits became 8, or its colours may differ without the profile that it lacks. */
  'fine_shades_lost',
  'profile_lost',
  'live_photo_unlinked',
  'original_not_replaced',
  'lost_in_replacement',
  /** Detail: the codes of what was lost (`CreditCode`), comma-separated. */
  'credits_lost',
  /** The same for credits that the compressed file may or may not have: it is unchanged, and its metadata cannot be parsed. */
  'credits_unchecked',
  /** Captions, keywords and other words of the original had no room beside the credits. */
  'descriptions_lost',
  /** Camera data, dates or other EXIF of the original could not be written. */
  'details_lost',
  /** The service's file was not kept: its metadata cannot be parsed. Detail: what should have been removed, `place` or `all`. */
  'optimized_not_cleaned',
  /** Texts of the service that are embedded in no file, because they reveal the place. Detail: their languages. */
  'texts_withheld',
  /** The files keep the original's own alt text. Detail: its languages; `x-default` for none. */
  'own_alt_text_kept',
  /** Detail: `optimized`, `converted` or `both`: the files that could not be given their texts. */
  'texts_not_embedded',
  /** Word rules of the recipe changed what the service gave. Detail: the languages, comma-separated. */
  'words_changed',
  /** Texts that do not keep to the word rules. Detail of these three: what it is about, each with its language, as in `stunning (en)`. */
  'words_flagged',
  /** Their lengths, as in `140 (en)`. */
  'texts_too_long',
])
export type NoteCode = z.infer<typeof NoteCode>
/** `detail` is a figure, a name or a code, never prose. */
export const Note = z.object({ code: NoteCode, detail: z.string().max(MAX_DETAIL_CHARS).nullable() })
export type Note = z.infer<typeof Note>

/** Creator, copyright and terms of a picture; `unreadable`: its XMP cannot be read and may contain more of them. */
export const CreditCode = z.enum([
  'creator',
  'rights',
  'credit',
  'source',
  'usage_terms',
  'web_statement',
  'marked',
  'owner',
  'licensor',
  /** Of Creative Commons: the address of the licence, and whom to name. */
  'license',
  'attribution',
  'unreadable',
])
export type CreditCode = z.infer<typeof CreditCode>
/** What a file lacks of the original's metadata: credits, captions and other words that had no room, or EXIF. */
export type MetadataLoss = CreditCode | 'descriptions' | 'details'

/** What a person can do next. */
export const NextStep = z.enum([
  'retry',
  'resend',
  'drop',
  'fetch_again',
  'ask_again',
  'confirm_spend',
  'set_key',
  'fix_address',
  'free_space',
  /** Only in a window, and where the files are on the same computer. */
  'show_file',
  'cancel',
])
export type NextStep = z.infer<typeof NextStep>
