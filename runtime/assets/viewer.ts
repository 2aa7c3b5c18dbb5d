/** The header in which the app's worker tells the assets worker that a signed-in person sent the request. */
export const VIEWER_HEADER = 'slipway-viewer'
/** The header with the comma-separated ids of the products that the signed-in person may use. */
export const PRODUCTS_HEADER = 'slipway-products'
