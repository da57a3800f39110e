import { sentenceText, type Sentence } from './sentence.ts'
import english from '../text/en/sentences.json' with { type: 'json' }

/** The text of a sentence for the command line and the log. Apart from `sentence.ts`, so that the page has no English of its own. */
export function englishText(sentence: Sentence): string {
  return sentenceText(sentence, english, 'en')
}
