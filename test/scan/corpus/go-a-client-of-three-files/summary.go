package reputation

import "context"

type Summary struct {
	Name   string
	Points float64
	Kinds  []string
}

func Summarise(ctx context.Context, c *Client, id string) (Summary, error) {
	holder, err := c.Passport(ctx, id)
	if err != nil {
		return Summary{}, err
	}
	summary := Summary{Name: holder.Profile.Name, Points: holder.Score} // read: passport.passport_profile.display_name, passport.score
	credentials, err := c.Credentials(ctx, id)
	if err != nil {
		return summary, err
	}
	for _, credential := range credentials {
		if credential.Value != "" { // read: passport_credentials[].value
			summary.Kinds = append(summary.Kinds, credential.Kind) // read: passport_credentials[].type
		}
	}
	return summary, nil
}
