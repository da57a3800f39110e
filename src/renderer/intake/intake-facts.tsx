import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { listText } from '../../shared/text/list-text.ts'
import { countText, sizeText } from '../text/figures.ts'
import { FileName } from '../parts/file-name.tsx'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { mayLeaveOut } from '../../shared/recipes/recipe-facts.ts'

/** How many pictures there are, what becomes of those that are not sent, and which are refused and why. */
export function IntakeFacts({ preview }: { preview: IntakePreview }) {
  const { t, i18n } = useTranslation('intake')
  const { pictures, totalBytes, toSend, free, done, nothingToDo, refused, refusals, estimated } = preview
  const count = (figure: number) => countText(figure, i18n.language)
  const about = (figure: number) => (estimated ? t('about', { shown: count(figure) }) : count(figure))
  const parts = Object.entries({ toSend, free, done, nothingToDo, refused } as const) as [Part, number][]
  return (
    <>
      <dl className="intake-facts figures">
        <div>
          <dt>{t('facts.pictures')}</dt>
          <dd>
            {count(pictures)} <span className="secondary">{sizeText(totalBytes, i18n.language)}</span>
          </dd>
        </div>
        {parts
          .filter(([part, figure]) => figure > 0 && !(part === 'toSend' && figure === pictures))
          .map(([part, figure]) => (
            <div key={part} className={part === 'refused' ? 'intake-refused' : undefined}>
              <dt>{t(`facts.${part}`)}</dt>
              <dd>{about(figure)}</dd>
            </div>
          ))}
      </dl>
      {refusals.length === 0 ? null : <Refusals refusals={refusals} refused={refused} />}
      <ForeignFolders preview={preview} />
    </>
  )
}

type Part = 'toSend' | 'free' | 'done' | 'nothingToDo' | 'refused'

/** The folders that are left out because other programs keep them. */
export function ForeignFolders({ preview: { foreign } }: { preview: IntakePreview }) {
  const { t, i18n } = useTranslation('intake')
  const { count, first } = foreign
  if (count === 0) return null
  const names = listText(count > first.length ? [...first, '…'] : first, i18n.language)
  return <p className="secondary">{t('foreign', { count, shown: countText(count, i18n.language), names })}</p>
}

function Refusals({ refusals, refused }: Pick<IntakePreview, 'refusals' | 'refused'>) {
  const { t, i18n } = useTranslation(['intake', 'reasons'])
  const more = refused - refusals.length
  return (
    <details className="intake-details">
      <summary>{t('refusals')}</summary>
      <ul>
        {refusals.map(({ name, reason }, n) => (
          <li key={n} className="intake-refusal">
            <FileName name={name} />
            <span className="secondary">{t(`reasons:reason.${reason.code}.short`)}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="secondary">{t('refusalsMore', { count: more, shown: countText(more, i18n.language) })}</p>
      ) : null}
    </details>
  )
}

const MAX_SHOWN = 3

/** The expected output names of a few pictures. */
export function NameExamples({ examples, recipe }: Pick<IntakePreview, 'examples'> & { recipe: UiRecipe }) {
  const { t } = useTranslation(['intake', 'recipe'])
  if (examples.length === 0) return null
  return (
    <details className="intake-details intake-names">
      <summary>{t('names')}</summary>
      <dl>
        {examples.slice(0, MAX_SHOWN).map(({ source, outputs }, n) => (
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
      {mayLeaveOut(recipe) ? <p className="secondary">{t('recipe:preview.leftOut')}</p> : null}
    </details>
  )
}
