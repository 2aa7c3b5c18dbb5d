/**
 * HTML entity names. This replaces the table of the mail parser, whose 2,231 names, mostly mathematical signs, take a seventh of the
 * worker's size. It contains the letters of every script, punctuation, and HTML 4.
 * Format: a number is the code point of the next name, and each further name has the next code point. `|` separates several names of one
 * character. After `/32` each name is that of a capital letter and also stands for its small letter, whose name is in lower case and whose
 * code point is higher by 32. After `/1` and `/80` it is higher by 1 and 80. `/0` ends this.
 */
const ENTITY_TABLE = `
  9 Tab NewLine 33 excl QUOT|quot num dollar percnt AMP|amp apos lpar rpar ast|midast plus comma 46 period sol 58
  colon semi LT|lt equals GT|gt quest commat 91 lsqb|lbrack bsol rsqb|rbrack Hat lowbar|UnderBar
  grave|DiacriticalGrave 123 lcub|lbrace vert|verbar|VerticalLine rcub|rbrace 160 nbsp|NonBreakingSpace iexcl cent
  pound curren yen brvbar sect uml|Dot|die|DoubleDot COPY|copy ordf laquo not shy REG|reg|circledR macr|strns deg
  plusmn|pm|PlusMinus sup2 sup3 acute|DiacriticalAcute micro para middot|CenterDot|centerdot cedil|Cedilla sup1 ordm
  raquo frac14 frac12|half frac34 iquest /32 Agrave Aacute Acirc Atilde Auml /0 Aring|angst /32 AElig Ccedil Egrave
  Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml /0 times /32 Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN /0 szlig 229 aring 247 divide|div 255 yuml /1 Amacr Abreve Aogon Cacute Ccirc Cdot
  Ccaron Dcaron Dstrok Emacr 278 Edot Eogon Ecaron Gcirc Gbreve Gdot /0 Gcedil /1 292 Hcirc Hstrok Itilde Imacr 302
  Iogon /0 Idot imath|inodot /1 IJlig Jcirc Kcedil /0 kgreen /1 Lacute Lcedil Lcaron Lmidot Lstrok Nacute Ncedil
  Ncaron /0 napos /1 ENG Omacr 336 Odblac OElig Racute Rcedil Rcaron Sacute Scirc Scedil Scaron Tcedil Tcaron Tstrok
  Utilde Umacr Ubreve Uring Udblac Uogon Wcirc Ycirc /0 Yuml /1 Zacute Zdot Zcaron /0 402 fnof 437 imped 501 gacute
  567 jmath 710 circ Hacek|caron 728 Breve|breve dot|DiacriticalDot ring ogon tilde|DiacriticalTilde
  dblac|DiacriticalDoubleAcute 785 DownBreve /32 913 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda
  Mu Nu Xi Omicron Pi Rho 931 Sigma Tau Upsilon Phi Chi Psi /0 ohm|Omega 949 epsi 962 sigmaf|sigmav|varsigma 965 upsi
  969 omega 977 thetav|thetasym|vartheta Upsi|upsih 981 phiv|varphi|straightphi piv|varpi 988 Gammad gammad|digamma
  1008 kappav|varkappa rhov|varrho 1013 epsiv|varepsilon|straightepsilon bepsi|backepsilon /80 1025 IOcy DJcy GJcy
  Jukcy DScy Iukcy YIcy Jsercy LJcy NJcy TSHcy KJcy 1038 Ubrcy DZcy /32 Acy Bcy Vcy Gcy Dcy IEcy ZHcy Zcy Icy Jcy Kcy
  Lcy Mcy Ncy Ocy Pcy Rcy Scy Tcy Ucy Fcy KHcy TScy CHcy SHcy SHCHcy HARDcy Ycy SOFTcy Ecy YUcy YAcy /0 8194 ensp emsp
  emsp13 emsp14 8199 numsp puncsp thinsp|ThinSpace hairsp|VeryThinSpace
  ZeroWidthSpace|NegativeThinSpace|NegativeThickSpace|NegativeMediumSpace|NegativeVeryThinSpace zwnj zwj lrm rlm
  dash|hyphen 8211 ndash mdash horbar Vert|Verbar 8216 lsquo|OpenCurlyQuote rsquo|rsquor|CloseCurlyQuote sbquo|lsquor
  8220 ldquo|OpenCurlyDoubleQuote rdquo|rdquor|CloseCurlyDoubleQuote bdquo|ldquor 8224 dagger Dagger|ddagger
  bull|bullet 8229 nldr mldr|hellip 8240 permil pertenk prime Prime tprime bprime|backprime 8249 lsaquo rsaquo 8254
  oline|OverBar 8257 caret 8259 hybull frasl 8271 bsemi 8279 qprime 8287 MediumSpace NoBreak af|ApplyFunction
  it|InvisibleTimes ic|InvisibleComma 8364 euro 8465 image 8470 numero 8472 weierp 8476 real 8482 trade 8501 alefsym
  8592 larr uarr rarr darr harr 8629 crarr 8656 lArr uArr rArr dArr hArr 8704 forall 8706 part exist 8709 empty 8711
  nabla isin notin 8715 ni 8719 prod 8721 sum minus 8727 lowast 8730 radic 8733 prop infin 8736 ang 8743 and or cap
  cup int 8756 there4 8764 sim 8773 cong 8776 asymp 8800 ne equiv 8804 le ge 8834 sub sup nsub 8838 sube supe 8853
  oplus 8855 otimes 8869 perp 8901 sdot 8968 lceil rceil lfloor rfloor 9674 loz 9824 spades 9827 clubs 9829 hearts
  diams 10003 check 10216 lang rang`

/** Names that HTML also accepts without a semicolon. The first name of each Latin-1 character is also accepted, and is not listed here. */
const WITHOUT_SEMICOLON = new Set(['AMP', 'GT', 'LT', 'QUOT', 'amp', 'copy', 'gt', 'lt', 'quot', 'reg'])

export const htmlEntities: Record<string, string> = {}

let nextCodePoint = 0
let smallDistance = 0
for (const word of ENTITY_TABLE.trim().split(/\s+/)) {
  if (word.startsWith('/')) smallDistance = Number(word.slice(1))
  else if (Number(word)) nextCodePoint = Number(word)
  else {
    addNames(word, nextCodePoint)
    if (smallDistance > 0) addNames(word.toLowerCase(), nextCodePoint + smallDistance)
    nextCodePoint += smallDistance === 1 ? 2 : 1
  }
}

function addNames(names: string, codePoint: number): void {
  const character = String.fromCharCode(codePoint)
  for (const [index, name] of names.split('|').entries()) {
    htmlEntities[`&${name};`] = character
    if ((codePoint > 159 && codePoint < 256 && index === 0) || WITHOUT_SEMICOLON.has(name))
      htmlEntities[`&${name}`] = character
  }
}
