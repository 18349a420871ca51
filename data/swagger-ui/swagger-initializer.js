// The address is relative, so that the page works behind any proxy. Nothing of a request leaves for an outside validator.
SwaggerUIBundle({
  dom_id: "#swagger-ui",
  url: "../openapi.json",
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: "none",
});
