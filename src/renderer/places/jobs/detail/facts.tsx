import { useTranslation } from 'react-i18next'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { countText, sizeText } from '../../../text/figures.ts'
import { recipeName } from '../../../recipe/recipe-name.ts'

/** Recipe, service and type of the picture. */
export function Facts({ detail }: { detail: JobDetail }) {
  const { t, i18n } = useTranslation('detail')
  const { recipe, service, image, figures } = detail
  const count = (n: number) => countText(n, i18n.language)
  const picture =
    image === null
      ? null
      : [
          `${image.type.toUpperCase()}, ${count(image.width)} × ${count(image.height)}`,
          image.animated ? t('facts.animated') : '',
        ]
  return (
    <section className="detail-part">
      <div className="detail-part-head">
        <h3>{t('facts.title')}</h3>
      </div>
      <dl className="facts">
        <Fact name={t('facts.recipe')} value={recipeName(recipe.name)} />
        <Fact name={t('facts.service')} value={service.practice ? t('facts.practice') : service.id} />
        {picture === null ? null : (
          <Fact name={t('facts.picture')} value={picture.filter((part) => part !== '').join(', ')} />
        )}
        {figures?.sizeBytes == null ? null : (
          <Fact
            name={t('facts.figures')}
            value={t('facts.figuresOnly', {
              format: (figures.format ?? '').toUpperCase(),
              size: sizeText(figures.sizeBytes, i18n.language),
            })}
          />
        )}
      </dl>
    </section>
  )
}

function Fact({ name, value: given }: { name: string; value: string }) {
  const value = straightText(given)
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto" title={value}>
        {value}
      </dd>
    </>
  )
}
