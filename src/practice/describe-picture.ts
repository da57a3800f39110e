import { asciiLatin } from '../shared/text/latin-letters.ts'

/** What can be said about a picture without understanding its content. */
export interface PictureTraits {
  width: number
  height: number
  /** The one that covers most of it, each part from 0 to 255. */
  colour: { r: number; g: number; b: number }
}

export interface PracticeTranslation {
  language_code: string
  seo_filename: string
  seo_alt_text: string
}

type Row = [
  code: string,
  name: string,
  nativeName: string,
  /** In the order of `COLOURS`. */
  colours: string,
  /** In the order of `SHAPES`; as a noun phrase that starts a sentence. */
  shapes: [string, string, string, string],
  pixels: string,
  mainColour: string,
  quotes: [string, string],
  /** Ends every alt text: these words were not written by a person or a program that saw the picture. */
  practiceNote: string,
  /** For the file name. */
  picture: string,
  practice: string,
]

const COLOURS = 'black white grey red orange yellow green turquoise blue purple pink brown'.split(' ')
const SHAPES = ['landscape', 'portrait', 'square', 'panorama'] as const

// prettier-ignore
const ROWS: Row[] = [
  ['en', 'English', 'English', 'black white grey red orange yellow green turquoise blue purple pink brown', ['Landscape picture', 'Portrait picture', 'Square picture', 'Panorama'], 'pixels', 'main colour:', ['“', '”'], 'Practice text', 'picture', 'practice'],
  ['de', 'German', 'Deutsch', 'Schwarz Weiß Grau Rot Orange Gelb Grün Türkis Blau Violett Rosa Braun', ['Bild im Querformat', 'Bild im Hochformat', 'Quadratisches Bild', 'Panorama'], 'Pixel', 'Hauptfarbe:', ['„', '“'], 'Übungstext', 'Bild', 'Übung'],
  ['fr', 'French', 'français', 'noir blanc gris rouge orange jaune vert turquoise bleu violet rose marron', ['Image au format paysage', 'Image au format portrait', 'Image carrée', 'Panorama'], 'pixels', 'couleur principale :', ['« ', ' »'], 'Texte d’exercice', 'image', 'exercice'],
  ['es', 'Spanish', 'español', 'negro blanco gris rojo naranja amarillo verde turquesa azul morado rosa marrón', ['Imagen horizontal', 'Imagen vertical', 'Imagen cuadrada', 'Panorámica'], 'píxeles', 'color principal:', ['«', '»'], 'Texto de práctica', 'imagen', 'práctica'],
  ['it', 'Italian', 'italiano', 'nero bianco grigio rosso arancione giallo verde turchese blu viola rosa marrone', ['Immagine orizzontale', 'Immagine verticale', 'Immagine quadrata', 'Panorama'], 'pixel', 'colore principale:', ['«', '»'], 'Testo di prova', 'immagine', 'prova'],
  ['pt', 'Portuguese', 'português', 'preto branco cinzento vermelho laranja amarelo verde turquesa azul roxo rosa castanho', ['Imagem horizontal', 'Imagem vertical', 'Imagem quadrada', 'Panorama'], 'píxeis', 'cor principal:', ['«', '»'], 'Texto de treino', 'imagem', 'treino'],
  ['nl', 'Dutch', 'Nederlands', 'zwart wit grijs rood oranje geel groen turkoois blauw paars roze bruin', ['Liggende afbeelding', 'Staande afbeelding', 'Vierkante afbeelding', 'Panorama'], 'pixels', 'hoofdkleur:', ['‘', '’'], 'Oefentekst', 'afbeelding', 'oefening'],
  ['sv', 'Swedish', 'svenska', 'svart vitt grått rött orange gult grönt turkos blått lila rosa brunt', ['Liggande bild', 'Stående bild', 'Kvadratisk bild', 'Panorama'], 'pixlar', 'huvudfärg:', ['”', '”'], 'Övningstext', 'bild', 'övning'],
  ['fi', 'Finnish', 'suomi', 'musta valkoinen harmaa punainen oranssi keltainen vihreä turkoosi sininen violetti vaaleanpunainen ruskea', ['Vaakakuva', 'Pystykuva', 'Neliökuva', 'Panoraama'], 'kuvapistettä', 'pääväri:', ['”', '”'], 'Harjoitusteksti', 'kuva', 'harjoitus'],
  ['da', 'Danish', 'dansk', 'sort hvid grå rød orange gul grøn turkis blå lilla lyserød brun', ['Billede i liggende format', 'Billede i stående format', 'Kvadratisk billede', 'Panorama'], 'pixels', 'hovedfarve:', ['»', '«'], 'Øvetekst', 'billede', 'øvelse'],
  ['pl', 'Polish', 'polski', 'czarny biały szary czerwony pomarańczowy żółty zielony turkusowy niebieski fioletowy różowy brązowy', ['Obraz poziomy', 'Obraz pionowy', 'Obraz kwadratowy', 'Panorama'], 'pikseli', 'główny kolor:', ['„', '”'], 'Tekst ćwiczebny', 'obraz', 'ćwiczenie'],
  ['cs', 'Czech', 'čeština', 'černá bílá šedá červená oranžová žlutá zelená tyrkysová modrá fialová růžová hnědá', ['Obrázek na šířku', 'Obrázek na výšku', 'Čtvercový obrázek', 'Panorama'], 'pixelů', 'hlavní barva:', ['„', '“'], 'Cvičný text', 'obrázek', 'cvičení'],
  ['el', 'Greek', 'ελληνικά', 'μαύρο λευκό γκρι κόκκινο πορτοκαλί κίτρινο πράσινο τιρκουάζ μπλε μοβ ροζ καφέ', ['Οριζόντια εικόνα', 'Κατακόρυφη εικόνα', 'Τετράγωνη εικόνα', 'Πανόραμα'], 'εικονοστοιχεία', 'κύριο χρώμα:', ['«', '»'], 'Κείμενο εξάσκησης', 'εικόνα', 'εξάσκηση'],
  ['uk', 'Ukrainian', 'українська', 'чорний білий сірий червоний помаранчевий жовтий зелений бірюзовий синій фіолетовий рожевий коричневий', ['Горизонтальне зображення', 'Вертикальне зображення', 'Квадратне зображення', 'Панорама'], 'пікселів', 'основний колір:', ['«', '»'], 'Навчальний текст', 'зображення', 'вправа'],
  ['ja', 'Japanese', '日本語', '黒 白 灰色 赤 オレンジ色 黄色 緑 青緑 青 紫 ピンク 茶色', ['横長の画像', '縦長の画像', '正方形の画像', 'パノラマ画像'], 'ピクセル', '主な色：', ['「', '」'], '練習用テキスト', '画像', '練習'],
  ['zh', 'Chinese', '中文', '黑色 白色 灰色 红色 橙色 黄色 绿色 青绿色 蓝色 紫色 粉色 棕色', ['横向图片', '纵向图片', '方形图片', '全景图片'], '像素', '主要颜色：', ['“', '”'], '练习文本', '图片', '练习'],
]

/** The languages of `GET /languages`, in the order they are listed (image service document, "Language"). */
export const LANGUAGE_TEXTS: ReadonlyMap<string, Row> = new Map(ROWS.map((row) => [row[0], row]))

/** Names a colour by hue, saturation and lightness. */
function nameColour({ r, g, b }: PictureTraits['colour']): string {
  const max = Math.max(r, g, b)
  const chroma = max - Math.min(r, g, b)
  const lightness = (2 * max - chroma) / 510
  if (lightness < 0.12) return 'black'
  if (lightness > 0.93) return 'white'
  if (chroma < 26) return 'grey'
  const sixth = max === r ? (g - b) / chroma : max === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4
  const hue = (60 * sixth + 360) % 360
  if (hue < 15 || hue >= 345) return lightness > 0.75 ? 'pink' : 'red'
  if (hue < 45) return lightness < 0.4 ? 'brown' : 'orange'
  if (hue < 70) return lightness < 0.3 ? 'brown' : 'yellow'
  if (hue < 165) return 'green'
  if (hue < 195) return 'turquoise'
  if (hue < 260) return 'blue'
  return hue < 300 ? 'purple' : 'pink'
}

function shapeOf({ width, height }: PictureTraits): (typeof SHAPES)[number] {
  const ratio = width / height
  if (ratio >= 2) return 'panorama'
  if (ratio > 1.05) return 'landscape'
  return ratio < 0.95 ? 'portrait' : 'square'
}

/** Parts of file names that come from cameras and phones, or say nothing about the picture. */
const NOISE =
  /^(img|image|dsc|dscn|dscf|pxl|mvimg|vid|pict|photo|screenshot|scan|copy|final|edited|hdr|\d+|[0-9a-f]{8,})$/i

/** The words of a file name that a person may have chosen: without extension, numbers and camera marks. */
function fileNameWords(filename: string): string[] {
  const base = filename.replace(/\.[^.]*$/, '')
  return base
    .normalize('NFC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .flatMap((word) => word.split(/(?<=\p{Ll})(?=\p{Lu})/u))
    .filter((word) => word !== '' && !NOISE.test(word))
    .slice(0, 8)
}

/** In one language of `LANGUAGE_TEXTS`, from the file name, size, shape and main colour, and marked as practice text. */
export function describePicture(filename: string, traits: PictureTraits, code: string): PracticeTranslation {
  const [, , , colours, shapes, pixels, mainColour, quotes, note, picture, practice] = LANGUAGE_TEXTS.get(code)!
  const words = fileNameWords(filename)
  const shape = shapes[SHAPES.indexOf(shapeOf(traits))]
  const colour = colours.split(' ')[COLOURS.indexOf(nameColour(traits.colour))]!
  // Japanese and Chinese put no spaces between words.
  const [comma, space, end] = code === 'ja' ? ['、', '', '。'] : code === 'zh' ? ['，', '', '。'] : [', ', ' ', '.']
  const what = words.length === 0 ? '' : `${space}${quotes[0]}${words.join(' ')}${quotes[1]}`
  const size = `${traits.width} × ${traits.height} ${pixels}`
  return {
    language_code: code,
    seo_filename: slug([...(words.length > 0 ? words : [picture]), colour, practice], code),
    seo_alt_text: `${shape}${what}${comma}${size}${comma}${mainColour}${space}${colour}${end} (${note})`,
  }
}

/** How German and the Nordic languages write their letters without marks. */
const BY_LANGUAGE: Record<string, Record<string, string>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  da: { ø: 'oe', å: 'aa' },
}

const MAX_SLUG_CHARS = 80

/** Words joined by hyphens, in lower case, with Latin letters stripped of marks; other scripts stay as they are. */
function slug(words: string[], code: string): string {
  const text = words.join(' ').normalize('NFC').toLowerCase()
  const plain = asciiLatin(text.replace(/[äöüøå]/g, (letter) => BY_LANGUAGE[code]?.[letter] ?? letter))
  const parts = plain.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== '')
  while (parts.length > 1 && [...parts.join('-')].length > MAX_SLUG_CHARS) parts.pop()
  return [...parts.join('-')].slice(0, MAX_SLUG_CHARS).join('') || 'picture'
}
