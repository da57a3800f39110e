import { TriangleAlert } from 'lucide-react'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { compresses } from '../../shared/recipes/recipe-facts.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { inBackground } from '../bridge/in-background.ts'
import { Button } from '../parts/button.tsx'
import { ChoiceList } from '../parts/field.tsx'
import { pickFolder } from '../pickers/pick-folder.tsx'

type Output = UiRecipe['output']

/** Where results go. Choosing "folder" asks for one, and takes effect once there is one; `onPick` is called before. */
export function OutputChoice(given: { recipe: UiRecipe; onChange: (output: Output) => void; onPick: () => void }) {
  const { recipe, onChange, onPick } = given
  const { output, operation } = recipe
  const replaces = compresses(operation)
  const chooseFolder = async () => {
    onPick()
    const place = await pickFolder(t('recipe:output.pickTitle'))
    if (place !== null) onChange({ kind: 'folder', dir: place.token, path: place.path })
  }
  const choose = (kind: Output['kind']) => {
    if (kind === 'folder') inBackground(chooseFolder)
    else onChange({ kind })
  }
  return (
    <>
      <ChoiceList
        label={t('recipe:output.label')}
        value={output.kind}
        onChange={choose}
        choices={[
          { value: 'beside', label: t('recipe:output.beside') },
          {
            value: 'folder',
            label: t('recipe:output.folder'),
            ...(output.kind === 'folder'
              ? { hint: <ChosenFolder path={output.path} onChange={() => choose('folder')} /> }
              : {}),
          },
          { value: 'replace', label: t('recipe:output.replace'), disabled: !replaces },
        ]}
      />
      {output.kind === 'replace' && replaces ? (
        <p className="callout" role="status">
          <TriangleAlert size={16} aria-hidden />
          {t('recipe:output.replaceWarning')}
        </p>
      ) : null}
    </>
  )
}

function ChosenFolder({ path, onChange }: { path: string; onChange: () => void }) {
  return (
    <span className="row single apart breaks">
      <bdi className="recipe-path" dir="ltr">
        {straightText(path)}
      </bdi>
      <Button onClick={onChange}>{t('recipe:output.change')}</Button>
    </span>
  )
}
