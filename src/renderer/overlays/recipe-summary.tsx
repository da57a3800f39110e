import { useTranslation } from 'react-i18next'
import type { UiRecipe } from '../../shared/ui-contract.ts'

/** A recipe in one line: what is made, in which languages, and where it goes. */
export function RecipeSummary({ recipe }: { recipe: UiRecipe }) {
  const { t, i18n } = useTranslation('intake')
  const { operation, languages, format, output } = recipe
  const names = new Intl.DisplayNames(i18n.language, { type: 'language', fallback: 'code' })
  const makesTexts = operation === 'process' || operation === 'analyze'
  const shown = languages.length > 3 ? null : languages.map((code) => names.of(code) ?? code)
  const texts = makesTexts
    ? t('summary.texts', {
        languages:
          shown === null
            ? t('summary.languages', { count: languages.length })
            : new Intl.ListFormat(i18n.language, { type: 'unit' }).format(shown),
      })
    : null
  const parts = [
    operation === 'process' || operation === 'optimize' ? t('summary.optimized') : null,
    operation === 'process' || operation === 'convert' ? t(`summary.${format}`) : null,
    texts,
    t(`summary.${output.kind}`),
  ]
  return <span className="secondary">{parts.filter((part) => part !== null).join(' · ')}</span>
}
