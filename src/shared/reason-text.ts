import type { JobState, NextStep, Note, NoteCode, Reason, ReasonCode } from './reasons.ts'

/** A reason in words: a few for a list, and one sentence each for what happened, what it means, and what to do. */
export interface ReasonWords {
  short: string
  happened: string
  /** What it means for files and credits. */
  means: string
  /** Empty when there is nothing to do. */
  todo: string
}

const NOTHING_SENT = 'Nothing was sent, so nothing was charged; the original is as it was.'
const MAY_BE_CHARGED = 'It may have been charged, so it is not sent again on its own; the original is as it was.'
const STAYS = 'The original is as it was.'
const PAID_AND_KEPT = 'What was paid for is kept; the original is as it was.'

const REASONS: Record<ReasonCode, ReasonWords> = {
  // Waits: nothing to do, but a person may wonder.
  backoff: {
    short: 'waiting before another try',
    happened: 'The last try did not work.',
    means: 'It is tried again by itself; a free call or a request that never left is all that is repeated.',
    todo: '',
  },
  rate_limited: {
    short: 'waiting for the rate limit',
    happened: 'The service asked to wait: too many calls in a minute.',
    means: 'It goes on by itself, and no try is used up.',
    todo: '',
  },
  same_content_in_flight: {
    short: 'waiting for the same picture',
    happened: 'The same picture is already on its way under another name.',
    means: 'It is paid for once; this file gets its results from that.',
    todo: '',
  },
  service_unreachable: {
    short: 'service not reachable',
    happened: 'The image service cannot be reached.',
    means: 'Nothing more is sent until it answers; it goes on by itself.',
    todo: 'Check the network and the address of the service.',
  },
  service_doubtful: {
    short: 'service in trouble',
    happened: 'The image service answers, but not in a way that makes sense.',
    means: 'Nothing more is sent until it answers properly; it goes on by itself.',
    todo: '',
  },

  // Skips.
  own_output: {
    short: 'made by Hangar',
    happened: 'This file is one of the results that Hangar wrote.',
    means: 'It is never taken for a picture to process.',
    todo: '',
  },
  already_done: {
    short: 'already done',
    happened: 'This picture was processed in this way before, and its results are there.',
    means: 'Nothing is sent or charged again.',
    todo: 'To do it again all the same, use --force; that may be charged.',
  },
  source_gone: {
    short: 'original gone',
    happened: 'The original was moved or deleted before its results were written.',
    means: 'Nothing was written. What was paid for is kept and is used again if the same picture comes back.',
    todo: '',
  },
  source_changed: {
    short: 'original changed',
    happened: 'The original was changed while it was being processed.',
    means: 'The results of the earlier version were not written.',
    todo: 'The new version counts as a new picture; run it again.',
  },

  // Holds.
  key_missing: {
    short: 'no key',
    happened: 'There is no key for this image service.',
    means: NOTHING_SENT,
    todo: 'Set the key: hangar key set image, or HANGAR_API_KEY.',
  },
  key_refused: {
    short: 'key refused',
    happened: 'The image service refused the key.',
    means: 'Pictures wait and nothing is charged; they go on once the key is accepted.',
    todo: 'Set the right key: hangar key set image, or HANGAR_API_KEY.',
  },
  other_account: {
    short: "waits for its account's key",
    happened: 'This picture was sent with the key of another account.',
    means: 'It was paid for there; its results can only be fetched with a key of that account.',
    todo: 'Set a key of that account again, or cancel the picture.',
  },
  other_service: {
    short: 'belongs to another service',
    happened: 'This picture was ordered for another image service than the one in use.',
    means: 'It is not sent to a service that it was not meant for.',
    todo: 'Go back to that service, or run the picture again for this one.',
  },
  credits_short: {
    short: 'not enough credits',
    happened: 'The account has not enough credits.',
    means: 'Pictures that were not sent wait; what was sent is brought home.',
    todo: 'Top up the account; then run again, or let a watch go on by itself.',
  },
  address_wrong: {
    short: 'address of the service seems wrong',
    happened: 'What answers at the address does not behave like the image service.',
    means: 'Pictures wait; none of them is to blame and nothing is charged.',
    todo: 'Check --service-url or HANGAR_SERVICE_URL; it usually ends in /api/v1.',
  },
  spend_guard: {
    short: 'waits for your confirmation',
    happened: 'Sending this would go past a limit on what is spent without asking.',
    means: 'Nothing is sent before a person agrees.',
    todo: 'Agree with --yes or hangar confirm, raise the limit, or cancel.',
  },
  stalled: {
    short: 'not finished for a day',
    happened: 'The service has not finished this picture for a day.',
    means: 'It was charged; the service is asked again every hour, which is free.',
    todo: 'Wait, or ask the service’s support.',
  },
  disk_full: {
    short: 'disk full',
    happened: 'The disk is full.',
    means: 'Nothing was written in part. It goes on by itself when there is room, and is not charged again.',
    todo: 'Make room on the disk.',
  },
  target_not_writable: {
    short: 'folder not writable',
    happened: 'The folder for the results cannot be written to.',
    means: 'Nothing was written. It goes on by itself when it can be, and is not charged again.',
    todo: 'Give Hangar the right to write there, or choose another folder with --output.',
  },
  folder_missing: {
    short: 'folder not there',
    happened: 'The picture cannot be read at the moment: its folder or drive is not there.',
    means: 'It goes on by itself when it is back.',
    todo: 'Connect the drive again.',
  },

  // Failures.
  too_large: {
    short: 'too large',
    happened: 'The file is larger than the 10 MB that the service accepts.',
    means: NOTHING_SENT,
    todo: 'Export it smaller.',
  },
  wrong_type: {
    short: 'wrong type for this',
    happened: 'This type of picture cannot be processed in this way.',
    means: NOTHING_SENT,
    todo: 'Choose another --operation, or convert on this computer (--convert-on here).',
  },
  not_an_image: {
    short: 'not a picture',
    happened: 'The file is called a picture, but it does not contain one of a type that the service takes.',
    means: NOTHING_SENT,
    todo: 'Save it as JPEG, PNG, GIF or WebP.',
  },
  cut_off: {
    short: 'cut off',
    happened: 'The picture ends too early: a part of it is missing.',
    means: NOTHING_SENT,
    todo: 'Copy it again from where it came from.',
  },
  too_many_pixels: {
    short: 'too many pixels',
    happened: 'The picture has more pixels than can be handled safely.',
    means: NOTHING_SENT,
    todo: 'Export it smaller.',
  },
  unreadable: {
    short: 'cannot be read',
    happened: 'The file cannot be read.',
    means: NOTHING_SENT,
    todo: 'Check its permissions and its drive.',
  },
  rejected_by_service: {
    short: 'refused by the service',
    happened: 'The service refused this picture.',
    means: 'A refused picture should not be charged, but the service decides that; the original is as it was.',
    todo: 'Change what the service names, then retry; a retry may be charged.',
  },
  job_failed: {
    short: 'failed at the service',
    happened: 'The service took the picture and could not finish it; it gives no reason.',
    means: 'It may have been charged. ' + STAYS,
    todo: 'hangar retry sends it again, which may be charged again.',
  },
  never_ended: {
    short: 'never finished',
    happened: 'The service has not finished this picture for a week.',
    means: 'It may have been charged. ' + STAYS,
    todo: 'hangar resolve --ask-again asks once more for free; hangar retry sends it again, which may be charged again.',
  },
  download_gone: {
    short: 'result gone',
    happened: 'The service says it is done, but its file cannot be had there.',
    means: PAID_AND_KEPT,
    todo: 'hangar resolve --fetch-again tries once more for free.',
  },
  download_broken: {
    short: 'result damaged',
    happened: 'What the service gave as the result was not a whole picture.',
    means: 'Nothing of it was written. ' + PAID_AND_KEPT,
    todo: 'hangar resolve --fetch-again tries once more for free.',
  },
  encode_failed: {
    short: 'could not be converted here',
    happened: 'The picture could not be converted on this computer.',
    means: PAID_AND_KEPT,
    todo: 'Try the other --format, or leave conversion out with --operation analyze or optimize.',
  },
  no_free_name: {
    short: 'no free name',
    happened: 'Every name that the result could have is taken.',
    means: 'Nothing that is there was overwritten. ' + PAID_AND_KEPT,
    todo: 'Tidy up the folder, or choose another with --output; then hangar resolve --fetch-again.',
  },

  // Doubts.
  answer_lost: {
    short: 'answer lost',
    happened: 'The picture was sent, but the answer never arrived.',
    means: MAY_BE_CHARGED,
    todo: 'Decide: hangar resolve --resend sends it again and may be charged twice, --drop lets it be.',
  },
  crashed_while_sending: {
    short: 'stopped while sending',
    happened: 'Hangar was stopped while the picture was being sent.',
    means: MAY_BE_CHARGED,
    todo: 'Decide: hangar resolve --resend sends it again and may be charged twice, --drop lets it be.',
  },
  no_job_id: {
    short: 'answer without a job',
    happened: 'The service accepted the picture, but its answer names no job to ask for.',
    means: MAY_BE_CHARGED,
    todo: 'Decide: hangar resolve --resend sends it again and may be charged twice, --drop lets it be.',
  },
  server_error: {
    short: 'error at the service',
    happened: 'The service answered with an error of its own after the picture was sent.',
    means: MAY_BE_CHARGED,
    todo: 'Decide: hangar resolve --resend sends it again and may be charged twice, --drop lets it be.',
  },
  lost_at_service: {
    short: 'lost at the service',
    happened: 'The service accepted the picture and now says that it does not know it.',
    means: MAY_BE_CHARGED,
    todo: 'Decide: hangar resolve --ask-again asks once more for free, --resend may be charged twice, --drop lets it be.',
  },

  // Cancelled.
  before_sending: {
    short: 'cancelled before sending',
    happened: 'It was cancelled before it was sent.',
    means: NOTHING_SENT,
    todo: '',
  },
  after_sending: {
    short: 'cancelled after sending',
    happened: 'It was cancelled after it was sent.',
    means: 'The credits are spent. Its result is used if the same picture is ordered again.',
    todo: '',
  },
  dropped: {
    short: 'dropped',
    happened: 'You decided to let it be.',
    means: 'It is not sent again unless you order it. ' + STAYS,
    todo: '',
  },
}

/** Reasons whose detail is something a person should read: the service's words, or the limit that was met. */
const QUOTES_SERVICE: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'rejected_by_service',
  'server_error',
  'address_wrong',
  'key_refused',
  'no_job_id',
])

export function reasonWords(code: ReasonCode): ReasonWords {
  return REASONS[code]
}

/**
 * A reason as a paragraph. Its detail may hold the service's own words: it is untrusted, and whoever shows it makes it
 * safe for the place.
 */
export function reasonText(reason: Reason): string {
  const { happened, means, todo } = REASONS[reason.code]
  const said = reason.detail === null ? '' : detailText({ ...reason, detail: reason.detail })
  return [happened, said, means, todo].filter((part) => part !== '').join(' ')
}

/** A reason in a few words, for one row of a list. */
export function reasonLine(reason: Reason): string {
  const { short } = REASONS[reason.code]
  return reason.detail === null ? short : `${short} (${reason.detail})`
}

function detailText({ code, detail }: { code: ReasonCode; detail: string }): string {
  if (QUOTES_SERVICE.has(code)) return `It says: “${detail}”.`
  return `${detail.slice(0, 1).toUpperCase()}${detail.slice(1)}${/[.!?]$/.test(detail) ? '' : '.'}`
}

const NOTES: Record<NoteCode, (detail: string | null) => string> = {
  saved_too_little: (detail) =>
    detail === null
      ? 'The compressed file would not have been worth it, so it was not written.'
      : `The compressed file would have saved only ${detail} %, so it was not written.`,
  analyzed_only: (detail) =>
    `${(detail ?? 'This type').toUpperCase()} is described only: the service converts JPEG and PNG, so the full pipeline is not asked for.`,
  nothing_to_convert: (detail) =>
    detail === 'animation'
      ? 'An animation is not converted to AVIF here.'
      : `It is ${(detail ?? 'the wanted format').toUpperCase()} already, so nothing was converted.`,
  translation_missing: (detail) => `The service gave no text in ${detail ?? 'one of the languages'}.`,
  animation_kept: () => 'The animation is kept.',
  published_from_kept_result: () => 'It was paid for before; the results were written again without sending anything.',
  data_after_image_end: () =>
    'There is more in the file after the picture, such as a motion photo; it stays in the original.',
  figures_only: () => 'The service converted it and tells sizes only: it offers no file to download.',
  sidecar_name_taken: (detail) =>
    `The name for the texts was taken by a file that is not Hangar's${detail === null ? '' : `; they are in ${detail}`}.`,
}

/** A note about a picture that went well, as one sentence. The detail is untrusted. */
export function noteText(note: Note): string {
  return NOTES[note.code](note.detail)
}

const NEXT_STEPS: Record<NextStep, { label: string; means: string }> = {
  retry: { label: 'Retry', means: 'Try again; a picture that the service had already taken may be charged again.' },
  resend: { label: 'Send again', means: 'Send it again; it may be charged twice.' },
  drop: { label: 'Let it be', means: 'Take it off the list of open questions; nothing is sent.' },
  ask_again: {
    label: 'ask again',
    means: 'Asks the service once more how it went; nothing is sent and nothing is charged.',
  },
  fetch_again: { label: 'Fetch again', means: 'Download the result once more; free.' },
  confirm_spend: { label: 'Confirm', means: 'Agree to what it costs; then it is sent.' },
  set_key: { label: 'Set the key', means: 'Give the key that the service accepts; then it goes on.' },
  top_up: { label: 'Top up credits', means: 'Buy credits with the service; then it goes on.' },
  fix_address: { label: 'Fix the address', means: 'Give the right address of the service; then it goes on.' },
  free_space: { label: 'Make room', means: 'Make room or allow writing; then it goes on by itself.' },
  cancel: { label: 'Cancel', means: 'Stop; what was sent stays charged.' },
}

/** What a person can do next: the words for a button, and what it does. */
export function nextStepText(step: NextStep): { label: string; means: string } {
  return NEXT_STEPS[step]
}

const STATES: Record<JobState, string> = {
  ready: 'ready',
  sending: 'sending',
  waiting: 'waiting for the service',
  fetching: 'fetching',
  writing: 'writing',
  done: 'done',
  skipped: 'skipped',
  held: 'held',
  failed: 'failed',
  unknown: 'unknown',
  cancelled: 'cancelled',
}

/** A job's state in the words the rest of the application uses. */
export function stateText(state: JobState): string {
  return STATES[state]
}
