import { HttpInterceptorFn } from '@angular/common/http';
import { environment } from '../../environments/environment';

export const talentKeyInterceptor: HttpInterceptorFn = (req, next) =>
  next(
    req.url.startsWith(environment.talent.root)
      ? req.clone({ setHeaders: { 'X-API-KEY': environment.talent.apiKey } })
      : req,
  );
