import type { ReasonCode } from '../../reasons.ts'

/** A reason in words: a few for a list, and a sentence or two each for what happened, what it means, and what to do. */
export interface ReasonWords {
  /** Without a full stop. */
  short: string
  happened: string
  /** What it means for files and credits. */
  means: string
  /** What a person can do in the window; empty when there is nothing to do. */
  todo: string
}

const NOTHING_SENT = 'Nothing was sent, so nothing was charged; the original is as it was.'
const MAY_BE_CHARGED = 'It may have been charged, so it is not sent again on its own; the original is as it was.'
const STAYS = 'The original is as it was.'
const PAID_AND_KEPT = 'What was paid for is kept; the original is as it was.'
const DECIDE = 'Decide: “Send again” may be charged twice, “Let it be” leaves it unsent.'

export const reasonWords = {
  // Waits: nothing to do, but a person may wonder.
  backoff: {
    short: 'Waiting before another try',
    happened: 'The last try did not work.',
    means: 'It is tried again by itself; a free call or a request that never left is all that is repeated.',
    todo: '',
  },
  rate_limited: {
    short: 'Waiting for the rate limit',
    happened: 'The service asked to wait: too many calls in a minute.',
    means: 'It goes on by itself, and no try is used up.',
    todo: '',
  },
  same_content_in_flight: {
    short: 'Waiting for the same picture',
    happened: 'The same picture is already on its way under another name.',
    means: 'It is paid for once; this file gets its results from that.',
    todo: '',
  },
  service_unreachable: {
    short: 'Service not reachable',
    happened: 'The image service cannot be reached.',
    means: 'Nothing more is sent until it answers; it goes on by itself.',
    todo: 'Check the network and the address of the service.',
  },
  service_doubtful: {
    short: 'Service in trouble',
    happened: 'The image service answers, but not in a way that makes sense.',
    means: 'Nothing more is sent until it answers properly; it goes on by itself.',
    todo: '',
  },

  // Skips.
  own_output: {
    short: 'Made by Hangar',
    happened: 'This file is one of the results that Hangar wrote.',
    means: 'It is never taken for a picture to process.',
    todo: '',
  },
  already_done: {
    short: 'Already done',
    happened: 'This picture was processed in this way before, and its results are there.',
    means: 'Nothing is sent or charged again.',
    todo: '',
  },
  source_gone: {
    short: 'Original gone',
    happened: 'The original was moved or deleted before its results were written.',
    means: 'Nothing was written. What was paid for is kept and is used again if the same picture comes back.',
    todo: '',
  },
  source_changed: {
    short: 'Original changed',
    happened: 'The original was changed while it was being processed.',
    means: 'The results of the earlier version were not written.',
    todo: 'The new version counts as a new picture; add it again.',
  },

  // Holds.
  key_missing: {
    short: 'No key',
    happened: 'There is no key for this image service.',
    means: NOTHING_SENT,
    todo: 'Enter the key in Settings.',
  },
  key_refused: {
    short: 'Key refused',
    happened: 'The image service refused the key.',
    means: 'Pictures wait and nothing is charged; they go on once the key is accepted.',
    todo: 'Enter the right key in Settings.',
  },
  other_account: {
    short: "Waits for its account's key",
    happened: 'This picture was sent with the key of another account.',
    means: 'It was paid for there; its results can only be fetched with a key of that account.',
    todo: 'Enter a key of that account in Settings, or cancel the picture.',
  },
  other_service: {
    short: 'Belongs to another service',
    happened: 'This picture was ordered for another image service than the one in use.',
    means: 'It is not sent to a service that it was not meant for.',
    todo: 'Go back to that service in Settings, or add the picture again for this one.',
  },
  credits_short: {
    short: 'Not enough credits',
    happened: 'The account has not enough credits.',
    means: 'Pictures that were not sent wait; what was sent is brought home.',
    todo: 'Top up the account; it then goes on by itself within minutes, or at once with “Retry”.',
  },
  credits_refused: {
    short: 'Refused for lack of credits',
    happened: 'The service refused this picture for lack of credits, although its own check says there are enough.',
    means: 'It was not accepted, so it should not be charged. Hangar retries up to twice, minutes apart.',
    todo: 'Top up the account, or ask the service’s support; “Retry” tries again at once.',
  },
  address_wrong: {
    short: 'Address of the service seems wrong',
    happened: 'What answers at the address does not behave like the image service.',
    means: 'Pictures wait; none of them is to blame and nothing is charged.',
    todo: 'Check the address in Settings; it usually ends in /api/v1.',
  },
  spend_guard: {
    short: 'Waits for your confirmation',
    happened: 'Sending this would go past a limit on what is spent without asking.',
    means: 'Nothing is sent before a person agrees.',
    todo: 'Confirm, raise the limit in Settings, or cancel.',
  },
  stalled: {
    short: 'Not finished for a day',
    happened: 'The service has not finished this picture for a day.',
    means: 'It was charged; the service is asked again every hour, which is free.',
    todo: 'Wait, or ask the service’s support.',
  },
  disk_full: {
    short: 'Disk full',
    happened: 'The disk is full.',
    means: 'Nothing was written in part. It goes on by itself when there is room, and is not charged again.',
    todo: 'Make room on the disk.',
  },
  target_not_writable: {
    short: 'Folder not writable',
    happened: 'The folder for the results cannot be written to.',
    means: 'Nothing was written. It goes on by itself when it can be, and is not charged again.',
    todo: 'Give Hangar the right to write there, or choose another folder in the recipe.',
  },
  folder_missing: {
    short: 'Folder not there',
    happened: 'The picture cannot be read at the moment: its folder or drive is not there.',
    means: 'It goes on by itself when it is back.',
    todo: 'Connect the drive again.',
  },

  // Failures.
  too_large: {
    short: 'Too large',
    happened: 'The file is larger than the 10 MB that the service accepts.',
    means: NOTHING_SENT,
    todo: 'Export it smaller, or choose in the recipe that a smaller copy is sent.',
  },
  wrong_type: {
    short: 'Wrong type for this',
    happened: 'This type of picture cannot be processed in this way.',
    means: NOTHING_SENT,
    todo: 'Choose another operation in the recipe, or conversion on this computer.',
  },
  not_an_image: {
    short: 'Not a picture',
    happened: 'The file is called a picture, but it does not contain one of a type that the service takes.',
    means: NOTHING_SENT,
    todo: 'Save it as JPEG, PNG, GIF or WebP.',
  },
  cut_off: {
    short: 'Cut off',
    happened: 'The picture ends too early: a part of it is missing.',
    means: NOTHING_SENT,
    todo: 'Copy it again from where it came from.',
  },
  too_many_pixels: {
    short: 'Too many pixels',
    happened: 'The picture has more pixels than can be handled safely.',
    means: NOTHING_SENT,
    todo: 'Export it smaller.',
  },
  unreadable: {
    short: 'Cannot be read',
    happened: 'The file cannot be read.',
    means: NOTHING_SENT,
    todo: 'Check its permissions and its drive.',
  },
  rejected_by_service: {
    short: 'Refused by the service',
    happened: 'The service refused this picture.',
    means: 'A refused picture should not be charged, but the service decides that; the original is as it was.',
    todo: 'Change what the service names, then retry; a retry may be charged.',
  },
  job_failed: {
    short: 'Failed at the service',
    happened: 'The service took the picture and could not finish it; it gives no reason.',
    means: 'It may have been charged. ' + STAYS,
    todo: '“Retry” sends it again, which may be charged again.',
  },
  never_ended: {
    short: 'Never finished',
    happened: 'The service has not finished this picture for a week.',
    means: 'It may have been charged. ' + STAYS,
    todo: '“Ask again” asks once more for free; “Retry” sends it again, which may be charged again.',
  },
  download_gone: {
    short: 'Result gone',
    happened: 'The service says it is done, but its file cannot be had there.',
    means: PAID_AND_KEPT,
    todo: '“Fetch again” tries once more for free.',
  },
  download_broken: {
    short: 'Result damaged',
    happened: 'What the service gave as the result was not a whole picture.',
    means: 'Nothing of it was written. ' + PAID_AND_KEPT,
    todo: '“Fetch again” tries once more for free.',
  },
  encode_failed: {
    short: 'Could not be converted here',
    happened: 'The picture could not be converted on this computer.',
    means: PAID_AND_KEPT,
    todo: 'Choose the other format in the recipe, or an operation without conversion.',
  },
  copy_failed: {
    short: 'No smaller copy',
    happened: 'The smaller copy that was to be sent could not be made on this computer.',
    means: NOTHING_SENT,
    todo: 'Try again, or export the picture smaller.',
  },
  no_free_name: {
    short: 'No free name',
    happened: 'Every name that the result could have is taken.',
    means: 'Nothing that is there was overwritten. ' + PAID_AND_KEPT,
    todo: 'Tidy up the folder, or choose another in the recipe; then “Fetch again”, which is free.',
  },
  part_swapped: {
    short: 'Result swapped',
    happened: 'Each time the result was written, another program replaced the unfinished file in its folder.',
    means: 'What the other program put there was not taken for the result. ' + PAID_AND_KEPT,
    todo: 'Find out what changes files in that folder, or choose another in the recipe; then “Fetch again”, which is free.',
  },

  // Doubts.
  answer_lost: {
    short: 'Answer lost',
    happened: 'The picture was sent, but the answer never arrived.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  crashed_while_sending: {
    short: 'Stopped while sending',
    happened: 'Hangar was stopped while the picture was being sent.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  no_job_id: {
    short: 'Answer without a job',
    happened: 'The service accepted the picture, but its answer names no job to ask for.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  server_error: {
    short: 'Error at the service',
    happened: 'The service answered with an error of its own after the picture was sent.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  unclear_answer: {
    short: 'Unclear answer',
    happened: 'The picture was sent, and the answer does not say whether the service took it.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  lost_at_service: {
    short: 'Lost at the service',
    happened: 'The service accepted the picture and now says that it does not know it.',
    means: MAY_BE_CHARGED,
    todo: 'Decide: “Ask again” is free, “Send again” may be charged twice, “Let it be” leaves it unsent.',
  },

  // Cancelled.
  before_sending: {
    short: 'Cancelled before sending',
    happened: 'It was cancelled before it was sent.',
    means: NOTHING_SENT,
    todo: '',
  },
  after_sending: {
    short: 'Cancelled after sending',
    happened: 'It was cancelled after it was sent.',
    means: 'The credits are spent. Its result is used if the same picture is ordered again.',
    todo: '',
  },
  dropped: {
    short: 'Dropped',
    happened: 'You decided to let it be.',
    means: 'It is not sent again unless you order it. ' + STAYS,
    todo: '',
  },
} satisfies Record<ReasonCode, ReasonWords>

const FREE = 'This was practice, where nothing is ever charged; the original is as it was.'
const KEPT = 'What the service made is kept; the original is as it was.'
const DECIDE_FREELY = 'Decide: “Send again” sends it once more, “Let it be” leaves it unsent.'

/** In place of the words above for a picture of the practice service. */
export const practiceWords = {
  stalled: {
    means: 'The service is asked again every hour. This is practice, where nothing is ever charged.',
    todo: 'Wait, or cancel the picture.',
  },
  rejected_by_service: { means: FREE, todo: 'Change what the service names, then retry.' },
  job_failed: { means: FREE, todo: '“Retry” sends it again.' },
  never_ended: { means: FREE, todo: '“Ask again” asks once more; “Retry” sends it again.' },
  download_gone: { means: KEPT, todo: '“Fetch again” tries once more.' },
  download_broken: { means: 'Nothing of it was written. ' + KEPT, todo: '“Fetch again” tries once more.' },
  answer_lost: { means: FREE, todo: DECIDE_FREELY },
  crashed_while_sending: { means: FREE, todo: DECIDE_FREELY },
  no_job_id: { means: FREE, todo: DECIDE_FREELY },
  server_error: { means: FREE, todo: DECIDE_FREELY },
  unclear_answer: { means: FREE, todo: DECIDE_FREELY },
  lost_at_service: {
    means: FREE,
    todo: 'Decide: “Ask again” asks once more, “Send again” sends it once more, “Let it be” leaves it unsent.',
  },
  after_sending: {
    means: 'Practice charges nothing. Its result is used if the same picture is ordered again.',
    todo: '',
  },
} satisfies Partial<Record<ReasonCode, Pick<ReasonWords, 'means' | 'todo'>>>
