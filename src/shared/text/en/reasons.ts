import type { FolderState } from '../../contract.ts'
import type { JobState, NextStep, NoteCode } from '../../reasons.ts'
import { shownSentences } from './own-sentences.ts'
import { practiceWords, reasonWords } from './reason-words.ts'

/** Words for reasons, notes, next steps, states and history. The command line uses them too (`reason-text.ts`). */
export const reasons = {
  reason: reasonWords,
  atPractice: practiceWords,
  own: shownSentences,
  /** Around what the service itself said. */
  quote: 'It says: “{{detail}}”.',
  note: {
    saved_too_little: 'The compressed file would not have been worth it, so it was not written.',
    analyzed_only: 'It is described only: the service converts JPEG and PNG, so the full pipeline is not asked for.',
    nothing_to_convert: 'It has the wanted format already, so nothing was converted.',
    translation_missing: 'The service gave no text in one of the languages.',
    animation_kept: 'The animation is kept.',
    published_from_kept_result: 'It was paid for before; the results were written again without sending anything.',
    data_after_image_end:
      'There is more in the file after the picture, such as a motion photo; it stays in the original.',
    figures_only: 'The service converted it and tells sizes only: it offers no file to download.',
    sidecar_name_taken: "The name for the texts was taken by a file that is not Hangar's.",
    sent_downscaled: 'It is larger than the service accepts, so a smaller copy was sent; the original is as it was.',
    converted_larger: 'The converted file is no smaller than the one without conversion, so HTML leaves it out.',
    converted_not_kept: 'The converted file would have saved nothing, so it was not written.',
  } satisfies Record<NoteCode, string>,
  /** The same where the note has a detail; see `noteSentence`. */
  noteWith: {
    saved_too_little: 'The compressed file would have saved only {{detail}}%, so it was not written.',
    analyzed_only:
      '{{detail}} is described only: the service converts JPEG and PNG, so the full pipeline is not asked for.',
    nothing_to_convert: 'It is {{detail}} already, so nothing was converted.',
    animation_not_converted: 'An animation is not converted to AVIF here.',
    translation_missing: 'The service gave no text in {{detail}}.',
    sidecar_name_taken: "The name for the texts was taken by a file that is not Hangar's; they are in {{detail}}.",
    sent_downscaled:
      'It is larger than the service accepts, so a smaller copy was sent ({{detail}}); the original is as it was.',
    converted_larger:
      'The converted file is {{detail}}% larger than the one without conversion, so HTML leaves it out.',
    converted_not_kept: 'The converted file would have been {{detail}}% larger, so it was not written.',
  },
  step: {
    retry: {
      label: 'Retry',
      explains: 'Tries again; a picture that the service had already taken may be charged again.',
    },
    resend: { label: 'Send again', explains: 'Sends it again; it may be charged twice.' },
    drop: { label: 'Let it be', explains: 'Takes it off the list of open questions; nothing is sent.' },
    fetch_again: { label: 'Fetch again', explains: 'Downloads the result once more; free.' },
    ask_again: {
      label: 'Ask again',
      explains: 'Asks the service once more how it went; nothing is sent and nothing is charged.',
    },
    confirm_spend: { label: 'Confirm', explains: 'Agrees to what it costs; then it is sent.' },
    set_key: { label: 'Set the key', explains: 'Takes the key that the service accepts; then it goes on.' },
    top_up: { label: 'Top up credits', explains: 'Buy credits with the service; then it goes on.' },
    fix_address: { label: 'Fix the address', explains: 'Takes the right address of the service; then it goes on.' },
    free_space: { label: 'Make room', explains: 'Make room or allow writing; then it goes on by itself.' },
    show_file: { label: 'Show the file', explains: 'Opens the folder it lies in.' },
    cancel: { label: 'Cancel', explains: 'Stops it; what was charged stays charged.' },
  } satisfies Record<NextStep, { label: string; explains: string }>,
  stepAtPractice: {
    retry: 'Tries again; practice is never charged.',
    resend: 'Sends it again; practice is never charged.',
  },
  state: {
    ready: 'Ready',
    sending: 'Sending',
    waiting: 'At the service',
    fetching: 'Fetching',
    writing: 'Writing',
    done: 'Done',
    skipped: 'Skipped',
    held: 'Held',
    failed: 'Failed',
    unknown: 'Unknown',
    cancelled: 'Cancelled',
  } satisfies Record<JobState, string>,
  /** What happened in a job's life: `found`, and the events of `core/transition.ts`. */
  event: {
    found: 'Taken in',
    dispatch: 'Sending began',
    accepted: 'Sent to the service',
    notSent: 'Not sent',
    doubt: 'In doubt',
    notYet: 'The service is still at work',
    completed: 'Finished at the service',
    reuse: 'Paid for before: its result is used again',
    adopt: 'On its way already: its result is waited for',
    workHere: 'Work on this computer began',
    fetched: 'Result fetched',
    planned: 'Name for a result chosen',
    published: 'Results written',
    later: 'Waits',
    hold: 'Held',
    release: 'Goes on',
    fail: 'Failed',
    skip: 'Skipped',
    cancel: 'Cancelled',
    retry: 'Retried by order',
    resend: 'Sent again by order',
    fetchAgain: 'Fetched again by order',
    askAgain: 'Asked about again by order',
    drop: 'Dropped by order',
    restart: 'Hangar was started again',
    rebind: 'Given to the chosen service',
  },
  phase: {
    starting: 'Starting',
    watching: 'Watching',
    reconciling: 'Looking through',
    polling: 'Looked through regularly',
    paused: 'Paused',
    missing: 'Not there',
    refused: 'Not watched',
  } satisfies Record<FolderState, string>,
}
