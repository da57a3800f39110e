import { useState, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../text/figures.ts'

/** The sizes of the two files in `public`. */
const BEFORE_BYTES = 180_708
const AFTER_BYTES = 25_912

/** A picture before and after, with a line to drag across it. */
export function ExamplePicture() {
  const { t, i18n } = useTranslation('jobs')
  const [at, setAt] = useState(50)
  return (
    <figure className="example" style={{ '--at': at / 100 } as CSSProperties}>
      <img src="example-before.jpg" alt="" />
      <img src="example-after.jpg" alt="" />
      <input
        type="range"
        aria-label={t('example.compare')}
        value={at}
        onChange={({ target }) => setAt(target.valueAsNumber)}
      />
      <figcaption className="caption figures">
        <span>{t('example.before', { size: sizeText(BEFORE_BYTES, i18n.language) })}</span>
        <span>{t('example.after', { size: sizeText(AFTER_BYTES, i18n.language) })}</span>
      </figcaption>
    </figure>
  )
}
