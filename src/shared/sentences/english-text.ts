import { sentenceText, type Sentence } from './sentence.ts'
import sentences from '../text/en/sentences.json' with { type: 'json' }
import terminal from './terminal.json' with { type: 'json' }

const english = { ...sentences, ...terminal }

/** The text of a sentence for the command line and the log. Apart from `sentence.ts`, so that the page has no English of its own. */
export function englishText(sentence: Sentence): string {
  return sentenceText(sentence, english, 'en')
}
