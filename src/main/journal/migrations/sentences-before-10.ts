import { raw, type Sentence, type SentenceCode, type SentenceValue } from '../../../shared/sentences/sentence.ts'

/**
 * Converts a detail of a journal before version 10, which stored English sentences. One of Hangar's own sentences becomes its
 * code and values; anything else becomes raw text.
 */
export function sentenceBefore10(text: string): Sentence {
  for (const { code, pattern } of readers()) {
    const found = pattern.exec(text)
    if (found === null) continue
    const values = Object.entries({ ...found.groups }).map(([name, value]) => [name, valueOf(name, value)] as const)
    return values.length === 0 ? { code } : { code, values: Object.fromEntries(values) }
  }
  return raw(text)
}

/** Values that are numbers; all others are names, paths and codes, even if they look like numbers. */
const FIGURES = new Set(
  'bytes limit bits pixels frames side seconds credits pictures spent perImage megabytes most'.split(' '),
)

function valueOf(name: string, value: string): SentenceValue {
  if (name === 'why') return sentenceBefore10(value)
  return FIGURES.has(name) && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

let known: { code: SentenceCode; pattern: RegExp }[] | null = null

function readers(): { code: SentenceCode; pattern: RegExp }[] {
  return (known ??= Object.entries(SENTENCES_BEFORE_10).map(([code, template]) => ({
    code: code as keyof typeof SENTENCES_BEFORE_10,
    pattern: new RegExp(
      `^${template
        .split(/\{\{(\w+)\}\}/)
        .map(asPattern)
        .join('')}$`,
      's',
    ),
  })))
}

/** `split` yields literal text and placeholder names in turn. */
function asPattern(part: string, index: number): string {
  return index % 2 === 1 ? `(?<${part}>.*)` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Never edited: the sentences as the last version before 10 wrote them. */
const SENTENCES_BEFORE_10 = {
  file_changing: 'the file is being changed',
  file_empty: 'the file is empty',
  file_forbidden: 'Hangar may not read it; check its permissions',
  over_service_limit: '{{bytes}} bytes; the service takes at most {{limit}}',
  over_reading_limit: '{{bytes}} bytes; Hangar reads at most {{limit}} to make a smaller copy',
  bytes_unknown: 'the bytes are no JPEG, PNG, GIF, WebP or AVIF',
  is_format: 'its format is {{format}}',
  jpeg_precision: 'it is a JPEG with {{bits}} bits for each colour; those with 8 can be read',
  jpeg_process: 'it is a JPEG of a rare kind ({{process}})',
  header_broken: 'the header cannot be read',
  pixels_broken: 'not all of its pixels can be read',
  pixels_broken_why: 'not all of its pixels can be read ({{why}})',
  bytes_contradict: 'the bytes contradict themselves',
  header_unreadable: 'the header cannot be read ({{why}})',
  over_pixel_limit: '{{pixels}} pixels; the limit is {{limit}}',
  over_frame_limit: '{{pixels}} pixels in {{frames}} frames; the limit is {{limit}}',
  over_avif_limit:
    '{{pixels}} pixels; at most {{limit}} become AVIF here: choose WebP for this picture, or make it smaller',
  over_side_limit:
    '{{side}} pixels along its longer side; {{format}} has room for {{limit}}: leave conversion out for this picture, or make it smaller',
  stops_early: 'the picture stops before its end; it may still be copied',
  damaged: 'the picture is damaged or cut off ({{why}})',
  service_converts: 'the service converts JPEG and PNG only, this is {{type}}',
  service_may_make_still: 'the service might make a still of this animation, so it is not sent to be converted',
  library_crashed: 'reading this picture made the image library crash, twice',
  took_too_long: 'the picture took longer than {{seconds}} s and was given up',
  large_animation: 'an animation of {{bytes}} bytes is not made smaller',
  no_copy_of_animation: 'an animation is not made smaller',
  no_copy_of_avif: 'no copy is made of an AVIF',
  no_copy_small_enough: 'no copy of it is small enough',
  no_avif_of_animation: 'an animation cannot become AVIF here',
  credits_missing: '{{credits}} credits missing',
  burst: '{{pictures}} pictures at once, more than {{limit}}: confirm that they should be sent',
  cap_per_day: '{{spent}} of {{limit}} pictures a day are used up: raise the cap or wait',
  cap_per_month: '{{spent}} of {{limit}} pictures a month are used up: raise the cap or wait',
  cap_per_folder: '{{spent}} of {{limit}} pictures a day in this folder are used up: raise the cap or wait',
  credit_limit:
    '{{spent}} of at most {{limit}} credits may be spent, the next picture may cost {{perImage}}: raise the limit',
  no_price: 'at most {{limit}} credits may be spent, but the service gave no price: try again when it answers',
  practice_not_started: 'The practice service did not start: {{why}}',
  practice_not_running: 'the practice service is not running',
  no_key: 'no key',
  no_result: 'completed, but without a result',
  not_there_yet: 'the service says that the file is not there yet',
  download_not_whole: 'what was downloaded is no whole picture: {{why}}',
  download_other_type: 'what was downloaded is {{type}}, not {{wanted}}',
  answer_compressed: 'The answer is compressed, though that was asked not to be done.',
  answer_not_json: 'The answer is not JSON.',
  answer_undocumented: 'The answer is not as documented: {{where}}.',
  answer_without_file: 'The answer carries no file.',
  file_compressed: 'The file came compressed once more, though that was asked not to be done.',
  network_refused: 'refused',
  network_dns: 'dns',
  network_tls: 'tls',
  network_proxy: 'proxy',
  network_forbidden: 'forbidden',
  network_connect_timeout: 'connect_timeout',
  network_reset: 'reset',
  network_timeout: 'timeout',
  network_cut_off: 'cut_off',
  network_too_large: 'too_large',
  network_aborted: 'aborted',
  network_other: 'other',
  redirect_insecure: 'redirect_insecure',
  redirect_nowhere: 'redirect_nowhere',
  redirect_too_often: 'redirect_too_often',
  service_no_answer: 'The image service did not answer properly ({{why}}). Try again in a moment.',
  service_address_wrong: 'The address of the image service seems wrong ({{why}}).',
  service_refused: 'The image service refused the call ({{why}}).',
  chargers_no_answer: 'The charger service did not answer properly ({{why}}). Try again in a moment.',
  chargers_address_wrong: 'The address of the charger service seems wrong ({{why}}).',
  chargers_refused: 'The charger service refused the call ({{why}}).',
  no_space: 'No space is left for {{dir}}. Free some, then go on.',
  may_not_write: 'Hangar may not write in {{dir}}. Allow it or choose another folder.',
  file_in_use: 'Another program has {{path}} open. Close it there, then this goes on.',
  folder_gone: 'The folder {{dir}} is not there any more. Bring it back or choose another.',
  part_swapped: '{{path}} was swapped for another file before it had its name; it is made again',
  leads_out:
    '{{path}} leads out of the folder that results belong in, so nothing is written there. Check for links in the path.',
  result_too_large: 'The result is larger than {{bytes}} bytes and was not kept.',
  result_names_taken: 'Every name for this result is taken in {{dir}}. Move some of the files away.',
  sidecar_names_taken: 'Every name for the sidecar of {{name}} is taken in {{dir}}.',
  sidecar_unreadable: 'The sidecar {{name}} cannot be read ({{why}}).',
  sidecar_keeps_changing: 'The sidecar of {{name}} keeps changing; something else is writing it.',
  sidecar_too_large: '{{name}} would grow too large to be read again.',
  sidecar_missing:
    'There is no text file beside the results now. Your words are kept, and are in it when it is written again.',
  sidecar_of_other: 'The text file is about another version of this picture. Your words are kept for this one.',
  twin_without_words: 'It is not in the text file of {{name}}, the same picture: {{why}}',
  upload_without_folder: 'Choose the inbox for uploads first: Settings, Data.',
  upload_malformed: 'This upload is not in the form that Hangar takes.',
  upload_not_named_picture: 'This is not a picture by its name (jpg, png, gif, webp).',
  upload_no_picture: 'This file is not a JPEG, PNG, GIF or WebP picture, whatever its name says.',
  upload_too_large: 'Files over {{megabytes}} MB cannot be uploaded.',
  upload_day_full: 'So much was uploaded today that Hangar takes no more. Copy the rest there directly.',
  upload_too_many: 'Too many uploads at a time. Wait for the others.',
  upload_no_space: 'No space is left for this file in {{dir}}. Free some, then upload it again.',
  upload_names_taken: 'Every name for {{name}} is taken in the inbox. Move some files away.',
  connection_missing: 'The page is not connected to Hangar at the moment; it tries again by itself. Nothing was done.',
  connection_lost:
    'The connection to Hangar was lost before the answer came. Look whether it was done before you repeat it.',
  signed_out: 'This page is not signed in any more. Open a new link: hangar serve --link.',
  went_wrong: 'Something went wrong inside Hangar; its log says more.',
  too_much_at_once: 'That is too much at once. Choose fewer pictures and repeat it.',
  no_address: 'This is not an address: write it in full, for example https://images.example.com/api/v1.',
  address_without_https: 'The address must start with https://, for example https://images.example.com/api/v1.',
  address_unencrypted: 'The key would travel unencrypted: use https:// (http:// is accepted for this computer only).',
  address_with_password: 'Leave user name and password out of the address; the key is set separately.',
  address_with_query: 'Leave everything from "?" or "#" on out of the address.',
  address_too_long: 'Give the address up to {{path}} only: no other version and no path after it.',
  address_first: 'Give the address of the service first: a key is kept for one address.',
  address_changed: 'Another address was set meanwhile, and a key is kept for one. Give it again.',
  given_at_start: 'This was given to Hangar when it was started, and stays so until it is started without.',
  path_missing: 'There is no file or folder "{{path}}". Check the path.',
  folder_known: 'This folder is watched already. Change that one instead.',
  path_own: '"{{path}}" belongs to Hangar itself and is not processed. Name your own pictures.',
  folder_own: 'This folder belongs to Hangar itself. Choose another one.',
  folder_hidden:
    'An output folder is never watched, and this one would hold a whole watched folder. Choose one inside or beside it.',
  file_for_folder: 'This is a file. Choose a folder.',
  folder_name_bad: 'This cannot be the name of a folder: use no slash, and no dot at its beginning.',
  folder_name_taken: 'There is something of this name already.',
  folder_not_there: 'This folder is not there any more. Choose another.',
  folder_forbidden: 'Hangar has no right to this folder. Choose another, or change its permissions.',
  folder_path_relative: 'A watched folder is given by its full path.',
  folder_not_watched: 'This folder is not watched.',
  folder_not_removed: 'This folder was not removed, or too long ago.',
  pattern_empty: 'The pattern "{{pattern}}" is empty. Leave it out, or write one such as "*.jpg".',
  pattern_absolute: 'The pattern "{{pattern}}" is absolute. Write it relative to the folder.',
  pattern_leads_out: 'The pattern "{{pattern}}" leads out of the folder. Write it relative to the folder.',
  pattern_grouped:
    'The pattern "{{pattern}}" groups names with parentheses. Use braces, as in "*.{jpg,png}", or "[(]" for a parenthesis.',
  pattern_negated: 'The pattern "{{pattern}}" is negated. Use the other list (include or exclude) instead.',
  pattern_too_many: 'The pattern "{{pattern}}" has an open brace, or stands for more than {{most}} patterns.',
  folder_unusable: 'This folder cannot be used ({{why}}).',
} as const satisfies Partial<Record<SentenceCode, string>>
