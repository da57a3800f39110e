import { COLOURS, SHAPES } from './picture-traits.ts'
import type { Colour, Shape } from './picture-traits.ts'

/** Everything needed to describe a picture in one language. */
interface LanguageText {
  code: string
  name: string
  nativeName: string
  colours: Record<Colour, string>
  shapes: Record<Shape, string>
  /** Joins two colours. */
  and: string
  /** Fills in the alt text: what (the words of the file name, if any), shape, size and colours. */
  sentence: (what: string | null, shape: string, size: string, colours: string) => string
  /** Ends every alt text: these words were not written by a person or a program that saw the picture. */
  practiceNote: string
  /** For the file name. */
  picture: string
  practice: string
}

type Row = [
  code: string,
  name: string,
  nativeName: string,
  /** In the order of `COLOURS`. */
  colours: string,
  /** In the order of `SHAPES`; as a noun phrase that starts a sentence. */
  shapes: [string, string, string, string],
  and: string,
  pixels: string,
  mainColours: string,
  quotes: [string, string],
  practiceNote: string,
  picture: string,
  practice: string,
]

// prettier-ignore
const ROWS: Row[] = [
  ['en', 'English', 'English', 'black white grey red orange yellow green turquoise blue purple pink brown', ['Landscape picture', 'Portrait picture', 'Square picture', 'Panorama'], 'and', 'pixels', 'main colours:', ['“', '”'], 'Practice text', 'picture', 'practice'],
  ['de', 'German', 'Deutsch', 'Schwarz Weiß Grau Rot Orange Gelb Grün Türkis Blau Violett Rosa Braun', ['Bild im Querformat', 'Bild im Hochformat', 'Quadratisches Bild', 'Panorama'], 'und', 'Pixel', 'Hauptfarben:', ['„', '“'], 'Übungstext', 'Bild', 'Übung'],
  ['fr', 'French', 'français', 'noir blanc gris rouge orange jaune vert turquoise bleu violet rose marron', ['Image au format paysage', 'Image au format portrait', 'Image carrée', 'Panorama'], 'et', 'pixels', 'couleurs principales :', ['« ', ' »'], 'Texte d’exercice', 'image', 'exercice'],
  ['es', 'Spanish', 'español', 'negro blanco gris rojo naranja amarillo verde turquesa azul morado rosa marrón', ['Imagen horizontal', 'Imagen vertical', 'Imagen cuadrada', 'Panorámica'], 'y', 'píxeles', 'colores principales:', ['«', '»'], 'Texto de práctica', 'imagen', 'práctica'],
  ['it', 'Italian', 'italiano', 'nero bianco grigio rosso arancione giallo verde turchese blu viola rosa marrone', ['Immagine orizzontale', 'Immagine verticale', 'Immagine quadrata', 'Panorama'], 'e', 'pixel', 'colori principali:', ['«', '»'], 'Testo di prova', 'immagine', 'prova'],
  ['pt', 'Portuguese', 'português', 'preto branco cinzento vermelho laranja amarelo verde turquesa azul roxo rosa castanho', ['Imagem horizontal', 'Imagem vertical', 'Imagem quadrada', 'Panorama'], 'e', 'píxeis', 'cores principais:', ['«', '»'], 'Texto de treino', 'imagem', 'treino'],
  ['nl', 'Dutch', 'Nederlands', 'zwart wit grijs rood oranje geel groen turkoois blauw paars roze bruin', ['Liggende afbeelding', 'Staande afbeelding', 'Vierkante afbeelding', 'Panorama'], 'en', 'pixels', 'hoofdkleuren:', ['‘', '’'], 'Oefentekst', 'afbeelding', 'oefening'],
  ['sv', 'Swedish', 'svenska', 'svart vitt grått rött orange gult grönt turkos blått lila rosa brunt', ['Liggande bild', 'Stående bild', 'Kvadratisk bild', 'Panorama'], 'och', 'pixlar', 'huvudfärger:', ['”', '”'], 'Övningstext', 'bild', 'övning'],
  ['fi', 'Finnish', 'suomi', 'musta valkoinen harmaa punainen oranssi keltainen vihreä turkoosi sininen violetti vaaleanpunainen ruskea', ['Vaakakuva', 'Pystykuva', 'Neliökuva', 'Panoraama'], 'ja', 'kuvapistettä', 'päävärit:', ['”', '”'], 'Harjoitusteksti', 'kuva', 'harjoitus'],
  ['da', 'Danish', 'dansk', 'sort hvid grå rød orange gul grøn turkis blå lilla lyserød brun', ['Billede i liggende format', 'Billede i stående format', 'Kvadratisk billede', 'Panorama'], 'og', 'pixels', 'hovedfarver:', ['»', '«'], 'Øvetekst', 'billede', 'øvelse'],
  ['pl', 'Polish', 'polski', 'czarny biały szary czerwony pomarańczowy żółty zielony turkusowy niebieski fioletowy różowy brązowy', ['Obraz poziomy', 'Obraz pionowy', 'Obraz kwadratowy', 'Panorama'], 'i', 'pikseli', 'główne kolory:', ['„', '”'], 'Tekst ćwiczebny', 'obraz', 'ćwiczenie'],
  ['cs', 'Czech', 'čeština', 'černá bílá šedá červená oranžová žlutá zelená tyrkysová modrá fialová růžová hnědá', ['Obrázek na šířku', 'Obrázek na výšku', 'Čtvercový obrázek', 'Panorama'], 'a', 'pixelů', 'hlavní barvy:', ['„', '“'], 'Cvičný text', 'obrázek', 'cvičení'],
  ['el', 'Greek', 'ελληνικά', 'μαύρο λευκό γκρι κόκκινο πορτοκαλί κίτρινο πράσινο τιρκουάζ μπλε μοβ ροζ καφέ', ['Οριζόντια εικόνα', 'Κατακόρυφη εικόνα', 'Τετράγωνη εικόνα', 'Πανόραμα'], 'και', 'εικονοστοιχεία', 'κύρια χρώματα:', ['«', '»'], 'Κείμενο εξάσκησης', 'εικόνα', 'εξάσκηση'],
  ['uk', 'Ukrainian', 'українська', 'чорний білий сірий червоний помаранчевий жовтий зелений бірюзовий синій фіолетовий рожевий коричневий', ['Горизонтальне зображення', 'Вертикальне зображення', 'Квадратне зображення', 'Панорама'], 'і', 'пікселів', 'основні кольори:', ['«', '»'], 'Навчальний текст', 'зображення', 'вправа'],
  ['ja', 'Japanese', '日本語', '黒 白 灰色 赤 オレンジ色 黄色 緑 青緑 青 紫 ピンク 茶色', ['横長の画像', '縦長の画像', '正方形の画像', 'パノラマ画像'], 'と', 'ピクセル', '主な色：', ['「', '」'], '練習用テキスト', '画像', '練習'],
  ['zh', 'Chinese', '中文', '黑色 白色 灰色 红色 橙色 黄色 绿色 青绿色 蓝色 紫色 粉色 棕色', ['横向图片', '纵向图片', '方形图片', '全景图片'], '和', '像素', '主要颜色：', ['“', '”'], '练习文本', '图片', '练习'],
]

/** Languages written without spaces between words. */
const UNSPACED: ReadonlySet<string> = new Set(['ja', 'zh'])

function keyed<Key extends string>(keys: readonly Key[], values: string[]): Record<Key, string> {
  if (keys.length !== values.length)
    throw new Error(`${values.length} words for ${keys.length} meanings: ${values.join(' ')}`)
  return Object.fromEntries(keys.map((key, index) => [key, values[index]])) as Record<Key, string>
}

function toText(row: Row): LanguageText {
  const [code, name, nativeName, colours, shapes, and, pixels, mainColours, quotes, practiceNote, picture, practice] =
    row
  const unspaced = UNSPACED.has(code)
  const [comma, space, end] = unspaced ? [code === 'ja' ? '、' : '，', '', '。'] : [', ', ' ', '.']
  return {
    code,
    name,
    nativeName,
    colours: keyed(COLOURS, colours.split(' ')),
    shapes: keyed(SHAPES, shapes),
    and: unspaced ? and : ` ${and} `,
    sentence: (what, shape, size, colourWords) =>
      `${shape}${what === null ? '' : `${space}${quotes[0]}${what}${quotes[1]}`}${comma}${size} ${pixels}${comma}${mainColours}${space}${colourWords}${end}`,
    practiceNote,
    picture,
    practice,
  }
}

/** The languages of `GET /languages`, in the order they are listed (image service document, "Language"). */
export const LANGUAGE_TEXTS: ReadonlyMap<string, LanguageText> = new Map(ROWS.map((row) => [row[0], toText(row)]))
