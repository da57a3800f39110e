import { useTranslation } from 'react-i18next'
import type { Note } from '../../../../shared/sentences/reasons.ts'
import { noteSentence } from '../../../../shared/sentences/reason-sentences.ts'
import { useReasonTexts } from '../../../text/use-reason-texts.ts'

export function Notes({ notes }: { notes: readonly Note[] }) {
  const { t, i18n } = useTranslation('detail')
  const texts = useReasonTexts()
  if (notes.length === 0) return null
  return (
    <section className="detail-part">
      <div className="detail-part-head">
        <h3>{t('notes')}</h3>
      </div>
      <ul className="notes">
        {notes.map((note, n) => (
          <li key={n} dir="auto">
            {noteSentence(texts, note, i18n.language)}
          </li>
        ))}
      </ul>
    </section>
  )
}
