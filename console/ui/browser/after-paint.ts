/** Runs a function after the next frame was painted. Returns a function that cancels it. */
export function afterPaint(run: () => void): () => void {
  // The second animation frame starts after the first was painted.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run)
  })
  return () => cancelAnimationFrame(frame)
}
