/**
 * HTML entity names. This replaces the table of the mail parser, whose 2,231 names, mostly mathematical signs, take a seventh of the
 * worker's size. It contains the letters of every script, punctuation, and HTML 4.
 * Format: a number is the code point of the next name, and each further name has the next code point. `|` separates several names of one
 * character.
 */
const ENTITY_TABLE = `
  9 Tab NewLine 33 excl QUOT|quot num dollar percnt AMP|amp apos lpar rpar ast|midast plus comma 46 period sol 58
  colon semi LT|lt equals GT|gt quest commat 91 lsqb|lbrack bsol rsqb|rbrack Hat lowbar|UnderBar
  grave|DiacriticalGrave 123 lcub|lbrace vert|verbar|VerticalLine rcub|rbrace 160 nbsp|NonBreakingSpace iexcl cent
  pound curren yen brvbar sect uml|Dot|die|DoubleDot COPY|copy ordf laquo not shy REG|reg|circledR macr|strns deg
  plusmn|pm|PlusMinus sup2 sup3 acute|DiacriticalAcute micro para middot|CenterDot|centerdot cedil|Cedilla sup1 ordm
  raquo frac14 frac12|half frac34 iquest Agrave Aacute Acirc Atilde Auml Aring|angst AElig Ccedil Egrave Eacute Ecirc
  Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
  Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc
  iuml eth ntilde ograve oacute ocirc otilde ouml divide|div oslash ugrave uacute ucirc uuml yacute thorn yuml Amacr
  amacr Abreve abreve Aogon aogon Cacute cacute Ccirc ccirc Cdot cdot Ccaron ccaron Dcaron dcaron Dstrok dstrok Emacr
  emacr 278 Edot edot Eogon eogon Ecaron ecaron Gcirc gcirc Gbreve gbreve Gdot gdot Gcedil 292 Hcirc hcirc Hstrok
  hstrok Itilde itilde Imacr imacr 302 Iogon iogon Idot imath|inodot IJlig ijlig Jcirc jcirc Kcedil kcedil kgreen
  Lacute lacute Lcedil lcedil Lcaron lcaron Lmidot lmidot Lstrok lstrok Nacute nacute Ncedil ncedil Ncaron ncaron
  napos ENG eng Omacr omacr 336 Odblac odblac OElig oelig Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute
  Scirc scirc Scedil scedil Scaron scaron Tcedil tcedil Tcaron tcaron Tstrok tstrok Utilde utilde Umacr umacr Ubreve
  ubreve Uring uring Udblac udblac Uogon uogon Wcirc wcirc Ycirc ycirc Yuml Zacute zacute Zdot zdot Zcaron zcaron 402
  fnof 437 imped 501 gacute 567 jmath 710 circ Hacek|caron 728 Breve|breve dot|DiacriticalDot ring ogon
  tilde|DiacriticalTilde dblac|DiacriticalDoubleAcute 785 DownBreve 913 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta
  Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho 931 Sigma Tau Upsilon Phi Chi Psi ohm|Omega 945 alpha beta gamma delta
  epsi|epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf|sigmav|varsigma sigma tau upsi|upsilon
  phi chi psi omega 977 thetav|thetasym|vartheta Upsi|upsih 981 phiv|varphi|straightphi piv|varpi 988 Gammad
  gammad|digamma 1008 kappav|varkappa rhov|varrho 1013 epsiv|varepsilon|straightepsilon bepsi|backepsilon 1025 IOcy
  DJcy GJcy Jukcy DScy Iukcy YIcy Jsercy LJcy NJcy TSHcy KJcy 1038 Ubrcy DZcy Acy Bcy Vcy Gcy Dcy IEcy ZHcy Zcy Icy
  Jcy Kcy Lcy Mcy Ncy Ocy Pcy Rcy Scy Tcy Ucy Fcy KHcy TScy CHcy SHcy SHCHcy HARDcy Ycy SOFTcy Ecy YUcy YAcy acy bcy
  vcy gcy dcy iecy zhcy zcy icy jcy kcy lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy chcy shcy shchcy hardcy ycy
  softcy ecy yucy yacy 1105 iocy djcy gjcy jukcy dscy iukcy yicy jsercy ljcy njcy tshcy kjcy 1118 ubrcy dzcy 8194 ensp
  emsp emsp13 emsp14 8199 numsp puncsp thinsp|ThinSpace hairsp|VeryThinSpace
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
for (const word of ENTITY_TABLE.trim().split(/\s+/)) {
  if (Number(word)) nextCodePoint = Number(word)
  else {
    const character = String.fromCharCode(nextCodePoint)
    for (const [index, name] of word.split('|').entries()) {
      htmlEntities[`&${name};`] = character
      if ((nextCodePoint > 159 && nextCodePoint < 256 && index === 0) || WITHOUT_SEMICOLON.has(name))
        htmlEntities[`&${name}`] = character
    }
    nextCodePoint++
  }
}
