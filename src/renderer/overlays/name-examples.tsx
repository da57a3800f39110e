import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract.ts'
import { FileName } from '../ui/file-name.tsx'

const MOST_SHOWN = 3

/** The names that will be written, for a few of the pictures. */
export function NameExamples({ examples }: Pick<IntakePreview, 'examples'>) {
  const { t } = useTranslation('intake')
  if (examples.length === 0) return null
  return (
    <section className="intake-names">
      <h3>{t('names')}</h3>
      <dl>
        {examples.slice(0, MOST_SHOWN).map(({ source, outputs }, n) => (
          <div key={n}>
            <dt>
              <FileName name={source} />
            </dt>
            <dd>
              {outputs.map((name) => (
                <FileName key={name} name={name} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
