import { type KeyboardEvent, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { Icon } from './icons.tsx'

interface GalleryImage {
  key: string
  src: string
  /** Describes the picture for people who do not see it. */
  alt: string
  title?: string | undefined
  note?: string | undefined
}

/** Pictures as cards. A click enlarges a picture, and the arrow keys then show the next or the previous one. */
export function Gallery({ label, images }: { label: string; images: readonly GalleryImage[] }) {
  const [openKey, setOpenKey] = useState<string | null>(null)
  const at = images.findIndex(({ key }) => key === openKey)
  const open = images[at]
  const turn = (by: number) => setOpenKey(images[(at + by + images.length) % images.length]?.key ?? null)
  const pressKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by !== undefined && open !== undefined) turn(by)
  }
  return (
    <div onKeyDown={pressKey}>
      <ul className="gallery" aria-label={label}>
        {images.map(({ key, src, alt, title, note }) => (
          <li key={key}>
            <button type="button" className="gallery-card" onClick={() => setOpenKey(key)}>
              <img src={src} alt={alt} loading="lazy" />
              {title !== undefined && <span className="gallery-title">{title}</span>}
              {note !== undefined && <span className="gallery-note">{note}</span>}
            </button>
          </li>
        ))}
      </ul>
      <Dialog
        title={open?.title ?? open?.alt ?? label}
        open={open !== undefined}
        onClose={() => setOpenKey(null)}
      >
        {open !== undefined && (
          <>
            <img className="gallery-large" src={open.src} alt={open.alt} />
            <div className="gallery-turn">
              <button
                type="button"
                className="icon-button"
                aria-label="Previous picture"
                onClick={() => turn(-1)}
              >
                <Icon name="back" />
              </button>
              <span aria-live="polite">
                {at + 1} of {images.length}
              </span>
              <button type="button" className="icon-button" aria-label="Next picture" onClick={() => turn(1)}>
                <Icon name="next" />
              </button>
            </div>
          </>
        )}
      </Dialog>
    </div>
  )
}
