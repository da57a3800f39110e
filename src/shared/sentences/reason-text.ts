import type { JobState, NextStep, Note, Reason, ReasonCode } from './reasons.ts'
import { englishText } from './english-text.ts'
import english from '../text/en/reasons.json' with { type: 'json' }
import sentences from '../text/en/sentences.json' with { type: 'json' }
import { noteSentence, reasonSentences, stepExplains, type ReasonTexts } from './reason-sentences.ts'

const reasons: ReasonTexts = { ...english, own: sentences }

const DECIDE = 'Decide: hangar resolve --resend sends it again and may be charged twice, --drop sends nothing.'

/** What to do, where that is a command or a flag; for all other reasons the command line uses the window's texts. */
const TODO: Partial<Record<ReasonCode, string>> = {
  already_done: 'To do it again all the same, use --force; that may be charged.',
  source_changed: 'The new version counts as a new picture; run it again.',
  key_missing: 'Set the key: hangar key set image, or HANGAR_API_KEY.',
  key_refused: 'Set the right key: hangar key set image, or HANGAR_API_KEY.',
  other_account: 'Set a key of that account again, or cancel the picture.',
  other_service: 'Go back to that service, or run the picture again for this one.',
  credits_short: 'Top up the account; then run again, or let a watch go on by itself.',
  credits_refused: 'Top up the account; hangar retry tries again at once.',
  address_wrong: 'Check --service-url or HANGAR_SERVICE_URL; it usually ends in /api/v1.',
  spend_guard: 'Approve with --yes or hangar confirm, raise the cap or --max-credits, or cancel.',
  target_not_writable: 'Give Hangar the right to write there, or choose another folder with --output.',
  not_replaceable: 'Change what the detail names, or leave --output replace out.',
  too_large: 'Export it smaller, or let a smaller copy be sent with --oversize downscale.',
  wrong_type: 'Choose another --operation, or convert on this computer (--convert-on here).',
  job_failed: 'hangar retry sends it again, which may be charged again.',
  never_ended:
    'hangar resolve --ask-again asks once more for free; hangar retry sends it again, which may be charged again.',
  download_gone:
    'hangar retry sends it again, which may be charged again; hangar resolve --fetch-again looks once more for free.',
  download_broken: 'hangar resolve --fetch-again tries once more for free.',
  not_this_picture:
    'It is in .hangar-set-aside of the data folder. hangar resolve --fetch-again looks once more for free; hangar retry sends it again, which may be charged again.',
  copy_failed: 'hangar retry tries again; or export the picture smaller.',
  not_cleaned: 'To have it as it is, run it again with --metadata keep.',
  encode_failed: 'Try the other --format, or leave conversion out with --operation analyze or optimize.',
  names_too_short: 'Choose another folder with --output.',
  no_free_name: 'Tidy up the folder, or choose another with --output; then hangar resolve --fetch-again.',
  crashed_while_sending: DECIDE,
  no_job_id: DECIDE,
  unclear_answer: DECIDE,
  lost_at_service:
    'Decide: hangar resolve --ask-again asks once more for free, --resend sends it again and may be charged twice, --drop sends nothing.',
}

/** What is said of charges, left out for pictures of the practice service, which never charges anything. */
const OF_CHARGES = / for free| and may be charged twice|, which may be charged again/g

/** A paragraph. Its detail is untrusted, and the caller escapes it for its output. */
export function reasonText(reason: Reason, isPractice = false): string {
  const { happened, said, means, todo: inWindow } = reasonSentences(reasons, reason, 'en', isPractice)
  const onTerminal = TODO[reason.code]
  const todo = (isPractice ? onTerminal?.replace(OF_CHARGES, '') : onTerminal) ?? inWindow
  return [happened, said, means, todo].filter((part) => part !== '').join(' ')
}

/** A reason in a few words, for one row of a list. */
export function reasonLine(reason: Reason): string {
  const short = lowerFirst(reasons.reason[reason.code].short)
  return reason.detail === null ? short : `${short} (${englishText(reason.detail)})`
}

/** A note about a picture that went well, as one sentence. The detail is untrusted. */
export function noteText(note: Note): string {
  return noteSentence(reasons, note, 'en')
}

const COMMANDS: Partial<Record<NextStep, string>> = {
  retry: 'hangar retry',
  resend: 'hangar resolve --resend',
  drop: 'hangar resolve --drop',
  fetch_again: 'hangar resolve --fetch-again',
  ask_again: 'hangar resolve --ask-again',
  confirm_spend: 'hangar confirm',
  set_key: 'hangar key set image',
  cancel: 'hangar cancel',
}

/** What a person can do next: the command, and what it does. */
export function nextStepText(step: NextStep, isPractice = false): string {
  return `${COMMANDS[step] ?? reasons.step[step].label}: ${lowerFirst(stepExplains(reasons, step, isPractice))}`
}

/** A job's state in the words of the rest of the application, for the middle of a line. */
export function stateText(state: JobState): string {
  return lowerFirst(reasons.state[state])
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`
}
