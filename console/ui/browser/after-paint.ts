/** Runs what can wait until the next frame is on screen. Answers how to call it off. */
export function afterPaint(run: () => void): () => void {
  // The frame after the next one begins when that is painted.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run)
  })
  return () => cancelAnimationFrame(frame)
}
