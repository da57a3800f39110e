import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { countText } from '../text/figures.ts'

/** The progress of a preview, until it is complete. */
export function PreviewProgress({ preview: { pictures, progress } }: { preview: IntakePreview }) {
  const { t, i18n } = useTranslation('intake')
  if (progress === null) return null
  const { inspected, of } = progress
  const count = (figure: number) => countText(figure, i18n.language)
  return (
    <div className="intake-progress">
      <p className="secondary figures">
        {of === null
          ? t('found', { count: pictures, shown: count(pictures) })
          : t('inspected', { count: of, shown: count(inspected), total: count(of) })}
      </p>
      <progress
        className="progress"
        {...(of === null ? {} : { value: inspected, max: Math.max(1, of) })}
        aria-label={t('checking')}
      />
    </div>
  )
}
