// Wine 8 refuses the delay that undici sets for TCP's keep-alive, and the connection fails with it.
require('node:net').Socket.prototype.setKeepAlive = function () {
  return this
}
